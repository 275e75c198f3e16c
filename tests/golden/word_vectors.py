"""Writes files of word vectors as their usual writers do, for tests/io/word_vector_files.cpp.

Run from the root of the repository, with NumPy:

    python tests/golden/word_vectors.py

Into `tests/golden/word_vectors/`:

- `tool.txt`, `tool.bin`: as the tool word2vec writes them: "%lf " for each number and a blank before the line break; a line
  break behind each vector of the binary file.
- `gensim.txt`, `gensim.bin`: as gensim's save_word2vec_format writes them: str of each float32; nothing behind a vector.
- `glove.txt`: as GloVe writes them: "%.6f", no first line, "<unk>" last.

The numbers that a reader must find are in `tests/golden/word_vectors.txt`, in the format of generate.py: `exact` are those of the
binary files and of gensim's text, `rounded` those of the tool's and of GloVe's text.
"""

import pathlib

import numpy as np

DIRECTORY = pathlib.Path(__file__).resolve().parent
WORDS = ["</s>", "the", "na\u00efve", "\u8a9e", "don't", "1984", "<unk>"]


def main():
    vectors = np.random.default_rng(18).standard_normal((len(WORDS), 5)).astype(np.float32)
    vectors[1] = [0, -0.0, 1, -1e-6, 123456.789]
    vectors[2, :2] = [3.4028235e38, 1.17549435e-38]
    names = [word.encode() for word in WORDS]
    head = b"%d %d\n" % vectors.shape
    folder = DIRECTORY / "word_vectors"
    folder.mkdir(exist_ok=True)

    def write(name, head, row):
        (folder / name).write_bytes(head + b"".join(name + row(v) for name, v in zip(names, vectors)))

    write("tool.txt", head, lambda v: b" " + b"".join(b"%.6f " % x for x in v) + b"\n")
    write("tool.bin", head, lambda v: b" " + v.astype("<f4").tobytes() + b"\n")
    write("gensim.txt", head, lambda v: b" " + " ".join(str(x) for x in v).encode() + b"\n")
    write("gensim.bin", head, lambda v: b" " + v.astype("<f4").tobytes())
    write("glove.txt", b"", lambda v: b"".join(b" %.6f" % x for x in v) + b"\n")

    lines = ["# written by tests/golden/word_vectors.py"]
    rounded = np.array([[np.float32(b"%.6f" % x) for x in v] for v in vectors])
    for name, values in [("exact", vectors), ("rounded", rounded)]:
        lines += [" ".join([name, *map(str, values.shape)]), " ".join("%.9g" % x for x in values.flatten())]
    (DIRECTORY / "word_vectors.txt").write_text("\n".join(lines) + "\n")


main()
