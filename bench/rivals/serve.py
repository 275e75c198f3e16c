#!/usr/bin/env python3
"""serve.py <rival> <work>: does the work of a file that a benchmark has written, as the benchmark asks.

The rival is a file beside this one: onnx_runtime, onnx_runtime_int8, jax_networks. The first line of the output is "ready", or "none" if the rival does not do this work; then
each line of the input has an answer:

    answer N    the numbers after N runs from the start: a line with how many they are, and their bytes
    time N      N runs: the seconds that the processor took

serve.py <rival> --note: prints how the rival is measured.
"""

import importlib
import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.environ["JAX_PLATFORMS"] = "cpu"
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # so that no rival starts more threads


def read_work(path):
    import numpy as np

    with open(path, "rb") as file:
        work = json.loads(file.readline())
        for name, kind, shape in work["arrays"]:
            array = np.fromfile(file, kind, int(np.prod(shape))).reshape(shape)
            owner, _, parameter = name.partition(":")
            (work.setdefault(owner, {}) if parameter else work)[parameter or name] = array
    return work


def main():
    rival = importlib.import_module(sys.argv[1])
    if sys.argv[2] == "--note":
        print(rival.note())
        return
    runner = rival.make(read_work(sys.argv[2]))
    print("none" if runner is None else "ready", flush=True)
    for line in sys.stdin:
        what, runs = line.split()[0], int(line.split()[1])
        if what == "answer":
            numbers = runner.answer(runs).astype("f4")
            sys.stdout.write(f"{numbers.size}\n")
            sys.stdout.flush()
            sys.stdout.buffer.write(numbers.tobytes())
            sys.stdout.buffer.flush()
        else:
            start = time.process_time()
            runner.run(runs)
            print(f"{time.process_time() - start:.9g}", flush=True)


if __name__ == "__main__":
    main()
