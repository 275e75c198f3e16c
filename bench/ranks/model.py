#!/usr/bin/env python3
"""How far more ranks pay, by a model: bench/ranks/model.py [GBIT_PER_SECOND [MICROSECONDS]]

A rank computes for `compute` ms a step (its batch stays the same), sends and receives `learned` gradients and parameters, each but for its own slice,
and makes `calls` calls, in each of which it sends a message to each other rank. Nothing is hidden behind what is computed; sums of a rank are one.
Of sparse tables it sends its slice of the rows that any rank touches, gradients and parameters. The second table keeps the whole batch, and names the number of ranks
whose step is the shortest."""
import sys

gbit = float(sys.argv[1]) if len(sys.argv) > 1 else 10
latency = 1e-6 * float(sys.argv[2] if len(sys.argv) > 2 else 20)
rate = gbit * 1e9 / 8
# name: ms of a rank's step (half of the batch that bench/ranks has), learned numbers that are dense, bytes of touched rows of a rank, calls
networks = {
    "S1, 128 rows a rank": (3.5, 78032, 0, 6),
    "words, 10 x 35 a rank": (158.0, 7332080, 0, 3),
    "transformer, 16 x 64 a rank": (31.0, 653552, 0, 7),
    "word vectors, sparse, 128 rows a rank": (0.35, 1024, 358000, 5),
}
ranks = [2 ** k for k in range(1, 11)]


def exchange(dense, touched, calls, r):
    bytes_sent = 2 * 4 * dense * (r - 1) / r + 2 * touched * (r - 1)
    return bytes_sent / rate + calls * (r - 1) * latency


def row(cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


print(f"{gbit:g} Gbit/s, {1e6 * latency:g} us a message\n")
row(["efficiency with ranks"] + ranks)
row(["---"] * (len(ranks) + 1))
for name, (ms, dense, touched, calls) in networks.items():
    row([name] + [f"{ms / (ms + 1e3 * exchange(dense, touched, calls, r)):.2f}" for r in ranks])
print()
row(["the same batch on more ranks", "shortest step with", "as many times as fast as one"])
row(["---"] * 3)
for name, (ms, dense, touched, calls) in networks.items():
    def step(r):
        return 2 * ms / r + (1e3 * exchange(dense, touched / r * 2, calls, r) if r > 1 else 0)
    best = min(range(1, 1025), key=step)
    row([name.split(",")[0], f"{best} ranks" if best > 1 else "one rank", f"{step(1) / step(best):.1f}"])
