#!/usr/bin/env python3
"""report.py <results> <folder> <note>...: writes a page cpu.md of tables, and a plot of each series of sizes, from the results
that --table wrote. A line "round" comes before the results of each round."""
import math
import re
import sys

HEAD = """\
# Speed on a CPU

Written by `bench/run`, which starts a new copy of each program in each round. Each cell has the processor time of
one run: the median over the rounds of each round's median. The ratio to Tenon's time follows in bold: the median of
the rounds' ratios (above 1, Tenon is faster). After ± is half the distance between the quartiles over the rounds:
of the ratio or, in Tenon's own column, of the time. Where words or sentences are counted, a cell has their number per second
instead of the time, and the bold ratio is still that of the times.

Every contender computes with one thread, on the same inputs and weights. Their answers were compared before anything
was timed. Their repetitions are interleaved at random, and each round draws anew where their data begin within a
memory page. Networks and recurrent layers get their inputs again in each run, single layers only once before the runs.
A training step is forward, backward and Adam. "Modes set before": the caller holds backend::flush_to_zero around its
loop, so that no step has to set and restore the processor's modes. "Setting modes": code written by hand sets and
restores them in each step, as a session does. What that costs depends on the vendor, so each table names its
processor.

The limits are measured in the same rounds:

- multiply-adds: the multiply-adds that the work needs, with all numbers in registers
- multiply-adds and gates: the same, and then the vectors of the gates
- reading the weights: all weights are read once for each step
- bytes in and out, for single layers: as many bytes are read as go into and out of the layer
- step after step: each step reads the weights, forwards or backwards in turn, with one multiply-add for each vector
  of them; its sums wait for the state of the step before, a sigmoid waits for the sums, and a tanh for the sigmoid

The limits compute with whole vectors. Up to 8 units, Tenon and the code written by hand compute with half vectors.

"""
# Behind the title of a group whose name begins so.
REMARKS = {
    "memory": """\
The peak in the second and third step. For Tenon: the session with its workspace and inputs,
the parameters, their gradients and Adam's states, all of which are constants of the type. For PyTorch: the peak of
its CPU allocator, without the inputs.

""",
    "Where ": """\
Each kernel of Tenon's step is timed where it is called; its share of the step is in bold.
The limit of the products is the time of their multiply-adds in registers. The limit of the stages is the time of
their multiply-adds and gates in registers. Both limits are measured in turn with the step. A stage is what a cell
computes in one step: products and the operations that follow them.

""",
    "Words a second": """\
Each run is a whole training step: forward, the mean loss over the words without padding, backward, clipping by the
norm, and the update.

The translators are those of `examples/translate` without dropout, trained by Adam, at the example's sizes for its small grammar and
for Multi30k. As in the example, a batch has sentences of similar length, here 80: the sources have 13 words and the translations 9 to
18, both with their end tokens (9 and 5 to 14 for the grammar). Words are drawn by Zipf's law. The words of the translations are
counted.

The language model has one table for the words that it reads and for their scores, and two layers of LSTM whose states continue from
window to window. It is trained by SGD.

PyTorch is its C++ library, run eagerly. Matrices that see the same input are merged, and what needs no state is computed for all words
at once. The LSTM, the fused attention, Adam and the clipping are PyTorch's own.

""",
    "Sentences a second": """\
Bahdanau's model translates ten sentences of 13 words (9 for the small grammar) into sentences of the same length: the end token is
made unlikely, so that all contenders do the same steps. Tenon calls `beam_search` for the ten sentences at once and keeps the
attention's weights. PyTorch translates one sentence after the other in a loop over steps, with the five hypotheses as the rows of a
batch: it calls log_softmax, topk over 5 x V, and index_select to reorder states and words. The log probabilities are compared.

""",
}
COLOURS = ["#c0392b", "#2471a3", "#1e8449", "#b7950b", "#7d3c98", "#566573", "#a04000", "#117a65", "#d35400", "#2c3e50"]


def read(path):
    """name of a group -> (contenders, name of a row -> (contender -> round -> median), row -> what is counted)."""
    groups, current = {}, 0
    for line in open(path, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        current += fields == ["round"]
        if len(fields) < 7:
            continue
        contenders, rows, counted = groups.setdefault(fields[0], ([], {}, {}))
        if fields[2] not in contenders:
            contenders.append(fields[2])
        rows.setdefault(fields[1], {}).setdefault(fields[2], {})[current] = float(fields[3])
        if len(fields) > 8:
            counted[fields[1]] = float(fields[8])
    for contenders, _, _ in groups.values():  # the naive reference and the limits last
        contenders.sort(key=lambda c: 2 if c.startswith("limit") else c.startswith("naive"))
    return sorted(groups.items(), key=lambda g: g[0].startswith("memory"))


def quantile(rounds, q):
    x = sorted(rounds.values())
    low, part = divmod(q * (len(x) - 1), 1)
    low, high = int(low), min(int(low) + 1, len(x) - 1)
    return x[low] + part * (x[high] - x[low])


def median(rounds):
    return quantile(rounds, 0.5)


def three_digits(value, unit):
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def time_text(seconds):
    units = ["s", "ms", "µs", "ns"]
    while seconds < 0.9995 and len(units) > 1:
        seconds *= 1000
        units.pop(0)
    return three_digits(seconds, units[0])


def bytes_text(count):
    units = ["B", "KiB", "MiB", "GiB"]
    while count >= 1023.5 and len(units) > 1:
        count /= 1024
        units.pop(0)
    return three_digits(count, units[0])


def spread_text(rounds):
    """Half the distance between the quartiles; empty if it is 0, as for a single round."""
    distance = quantile(rounds, 0.75) - quantile(rounds, 0.25)
    return f" ±{50 * distance / median(rounds):.0f} %" if distance > 0 else ""


def ratio_text(rounds, own):
    """Each round divided by the same round of another contender."""
    ratios = {r: value / own[r] for r, value in rounds.items() if r in own}
    return f" **{median(ratios):.2f}**{spread_text(ratios)}" if ratios else ""


def table(name, contenders, rows, counted, processor):
    """A table of times has the processor's name in its first cell."""
    is_memory = name.startswith("memory")
    lines = ["| " + ("" if is_memory or not processor else processor + " ") + "|" + "".join(f" {c} |" for c in contenders),
             "|---|" + "---:|" * len(contenders)]
    for row, by_contender in rows.items():
        line = f"| {row} |"
        for c in contenders:
            if c in by_contender:
                rounds = by_contender[c]
                a_second = counted.get(row, 0) / median(rounds)
                line += " " + (bytes_text(median(rounds)) if is_memory
                               else f"{a_second:.{a_second < 100:d}f}" if a_second > 0 else time_text(median(rounds)))
                if c == "Tenon":
                    line += spread_text(rounds)
                elif "Tenon" in by_contender:
                    line += ratio_text(rounds, by_contender["Tenon"])
            line += " |"
        lines.append(line)
    return "\n".join(lines) + "\n\n"


def plot(name, contenders, rows):
    """Time over size, both logarithmic; limits are dashed, the naive reference is dotted, colours used again are dash-dotted."""
    left, top, wide, high = 70, 30, 560, 340
    sizes = [float(row) for row in rows]
    times = [median(rounds) for by_contender in rows.values() for rounds in by_contender.values()]
    low_x, high_x = min(sizes), max(sizes)
    low_y, high_y = 10.0 ** math.floor(math.log10(min(times))), 10.0 ** math.ceil(math.log10(max(times)))

    def x(v):
        return left + wide * math.log(v / low_x) / math.log(high_x / low_x)

    def y(v):
        return top + high - high * math.log(v / low_y) / math.log(high_y / low_y)

    svg = ('<svg xmlns="http://www.w3.org/2000/svg" width="930" height="420" font-family="sans-serif" font-size="12">\n'
           f'<rect width="930" height="420" fill="white"/>\n<text x="{left}" y="18" font-size="14">{name}: time over hidden size</text>\n')
    v = low_y
    while v <= high_y * 1.01:
        svg += (f'<path d="M{left} {y(v):g}h{wide}" stroke="#ddd"/>'
                f'<text x="{left - 6}" y="{y(v) + 4:g}" text-anchor="end">{time_text(v)}</text>\n')
        v *= 10
    for v in [8, 16, 32, 64, 128, 256]:
        if low_x <= v <= high_x:
            svg += (f'<path d="M{x(v):g} {top}v{high}" stroke="#eee"/>'
                    f'<text x="{x(v):g}" y="{top + high + 18}" text-anchor="middle">{v}</text>\n')
    for k, c in enumerate(contenders):
        colour = COLOURS[k % len(COLOURS)]
        points = "".join(f"{x(float(row)):g},{y(median(rounds[c])):g} " for row, rounds in rows.items() if c in rounds)
        pattern = "5 4" if c.startswith("limit") else "1 3" if c.startswith("naive") else "" if k < len(COLOURS) else "9 3 2 3"
        dashes = f' stroke-dasharray="{pattern}"' if pattern else ""
        look = f'fill="none" stroke="{colour}" stroke-width="{3 if c == "Tenon" else 1.5}"{dashes}'
        svg += (f'<polyline {look} points="{points}"/>\n<path {look} d="M{left + wide + 12} {top + 10 + 18 * k}h30"/>\n'
                f'<text x="{left + wide + 48}" y="{top + 14 + 18 * k}">{c}</text>\n')
    return svg + "</svg>\n"


def main():
    results, folder, *notes = sys.argv[1:]
    processor = next((re.split("[,@]", n)[0][len("processor: "):] for n in notes if n.startswith("processor: ")), "")
    page = HEAD + "".join(f"- {note}\n" for note in notes) + "\n"
    for name, (contenders, rows, counted) in read(results):
        page += f"## {name[0].upper()}{name[1:]}\n\n"
        if len(rows) > 2 and all(row.isdigit() for row in rows):
            file = re.sub("[^a-z0-9]+", "_", name.lower()).lstrip("_") + ".svg"
            with open(f"{folder}/{file}", "w", encoding="utf-8") as out:
                out.write(plot(name, contenders, rows))
            page += f"![{name}]({file})\n\n"
        page += "".join(text for begin, text in REMARKS.items() if name.startswith(begin))
        page += table(name, contenders, rows, counted, processor)
    with open(f"{folder}/cpu.md", "w", encoding="utf-8") as out:
        out.write(page)


if __name__ == "__main__":
    main()
