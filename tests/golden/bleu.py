"""Writes the scores that the test of tenon/train/metrics/bleu.hpp compares with: those of the sacrebleu package on sentences of our own.

Run from the root of the repository, with sacrebleu 2: python tests/golden/bleu.py

Each case of tests/golden/bleu.txt is
    case <name> <lowercase: 0 or 1> <tokenize: 13a or none>
    h <hypothesis>      and the references behind it, each on a line
    r <reference>
    score <BLEU> <precisions 1 .. 4> <brevity penalty> <tokens of the hypotheses> <tokens of the references>
    text <the line that sacrebleu prints>
Line breaks within a sentence are written \\n.
"""

import pathlib

import sacrebleu

CASES = {
    "plain": [
        ("The cat sat on the mat and looked at the dog.", ["A cat sat on the mat and looked at a dog."]),
        ("There is a small red house near the river.", ["Near the river there is a little red house."]),
        ("Two men are playing chess in the park.", ["Two men play chess in a park."]),
    ],
    "same": [("One two three four five.", ["One two three four five."])],
    "nothing in common": [("alpha beta gamma delta epsilon", ["one two three four five"])],
    "an empty hypothesis": [
        ("", ["This one was not translated at all."]),
        ("This one was translated as it should be.", ["This one was translated as it should be."]),
    ],
    "only empty hypotheses": [("", ["Not a word."]), ("  ", ["Not one."])],
    "an empty reference": [("Something that nobody asked for.", [""]), ("A sentence of seven words it is.", ["A sentence of seven words, it is."])],
    "short": [("Yes.", ["Yes."]), ("No way", ["No way"])],
    "too short for four": [("good", ["good"]), ("very well", ["very well"])],
    "no run of four": [("a b c x d e f", ["a b c y d e f"]), ("g h x i", ["g h y i"])],
    "no run of two": [("one x two y three z", ["one a two b three c"])],
    "longer than the reference": [("It is is is very very very cold today , is it", ["It is very cold today."])],
    "shorter than the reference": [("It is cold.", ["It is very cold in the mountains today, and it snows."])],
    "punctuation": [
        ("\"Well,\" she said, \"don't -- it's (almost) done; isn't it?\"", ["\"Well\", she said: \"don't - it's (almost) done; isn't it?\""]),
        ("A/B test: {x|y} ~z^2 [1] @home #tag $5 100% a_b `c` a\\b <d> e=f+g*h", ["A/B test: {x|y} ~z^2 [1] @home #tag $5 100% a_b `c` a\\b <d> e=f+g*h!"]),
        ("Wait... what?! No..., yes.,.", ["Wait ... what ?! No ... , yes ., ."]),
        ("Trailing stop .", ["Trailing stop."]),
    ],
    "numbers": [
        ("It cost 1,234.56 in 1999-2001, or .5 of 3.", ["It cost 1,234.56 in 1999 - 2001, or 0.5 of 3."]),
        ("Version 2.0.1, section 3., page 12,13 and 7-8-9.", ["Version 2.0.1, Section 3. , page 12,13 and 7-8-9"]),
        ("a.5 b,6 7.c 8,d -9 10-", ["a.5 b, 6 7.c 8,d -9 10-"]),
    ],
    "entities": [
        ("Tom &amp; Anna said &quot;3 &lt; 4&quot; and 5 &gt; 4.", ["Tom & Anna said \"3 < 4\" and 5 > 4."]),
        ("<skipped>the rest &apos;s here &amp;lt; x", ["the rest &apos;s here < x"]),
    ],
    "beyond ASCII": [
        ("Ein Mädchen läuft über die Straße – schön, oder?", ["Ein Mädchen geht über die Straße – schön, oder?"]),
        ("Это маленький дом. «Да», сказал он…", ["Это маленький дом. «Да», сказала она…"]),
        ("猫が 座って いる。 と言う", ["猫が 座って いた。 と言う"]),
        ("non\u00a0breaking\u2009and\u3000wide spaces\u2028here", ["non breaking and wide spaces here"]),
        ("naïve café, 5 € and 7 £.", ["naive café, 5 € and 7 £."]),
    ],
    "lines within": [("a broken-\nword and\na line", ["a brokenword and a line"]), ("it ends -\n", ["it ends -"])],
    "capitals": [
        ("THE ÄÖÜ ŁÓDŹ Straße ŸÝ ÎÏ ŽŠ İstanbul ẞ ȘȚ", ["the äöü łódź straße ÿý îï žš i\u0307stanbul ß șț"]),
        ("МОСКВА Ёлка Ґ Џ Ѐ ӘӨҮ is a city", ["москва ёлка ґ џ ѐ әөү Is A City"]),
        ("Two × three ÷ one", ["two × Three ÷ ONE"]),
    ],
    "several references": [
        ("the cat is on the mat today", ["there is a cat on the mat", "the cat is on a mat today, right now", "a cat, the cat"]),
        ("he went home early again", ["he left early", "again he went home early in the day"]),
    ],
    "as many references as lengths": [("a b c d e f", ["a b c d", "a b c d e f g h"])],
}


def escaped(text):
    return text.replace("\n", "\\n")


def main():
    lines = [f"# written by tests/golden/bleu.py with sacrebleu {sacrebleu.__version__}"]
    for name, segments in CASES.items():
        for lowercase in (False, True):
            for tokenize in ("13a", "none"):
                metric = sacrebleu.metrics.BLEU(lowercase=lowercase, tokenize=tokenize, force=True)
                width = max(len(references) for _, references in segments)
                references = [[some[k] if k < len(some) else None for _, some in segments] for k in range(width)]
                score = metric.corpus_score([hypothesis for hypothesis, _ in segments], references)
                lines.append(f"case {name.replace(' ', '_')} {int(lowercase)} {tokenize}")
                for hypothesis, some in segments:
                    lines.append("h " + escaped(hypothesis))
                    lines += ["r " + escaped(reference) for reference in some]
                numbers = [score.score, *score.precisions, score.bp]
                lines.append(" ".join(["score", *(f"{x:.9g}" for x in numbers), str(score.sys_len), str(score.ref_len)]))
                lines.append("text " + str(score))
    path = pathlib.Path(__file__).resolve().parent / "bleu.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
