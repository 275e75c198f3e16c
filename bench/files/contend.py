#!/usr/bin/env python3
"""A gigabyte of parameters saved and loaded, by Tenon, by the safetensors package for PyTorch, and as a plain copy, in turns.

    python3 bench/files/contend.py build/release/bench/bench_files [--folder=/dev/shm] [--rounds=9]

Needs PyTorch and safetensors. The folder should be in memory: on a disk Tenon's `save` waits until the bytes are there, which the
package does not. Prints medians in milliseconds, and each beside Tenon's.
"""
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from safetensors.torch import load_file, save_file
from torch import nn

options = dict(o.removeprefix("--").split("=") for o in sys.argv[2:])
folder = pathlib.Path(tempfile.mkdtemp(dir=options.get("folder", "/dev/shm")))
rounds = int(options.get("rounds", 9))

torch.set_num_threads(1)
program = subprocess.Popen([sys.argv[1], folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(what):
    program.stdin.write(what + "\n")
    program.stdin.flush()
    return float(program.stdout.readline())


model = nn.Sequential(*(nn.Linear(4096, 4096, bias=False) for _ in range(16)))
theirs = folder / "package.safetensors"


def package_save():
    save_file(model.state_dict(), theirs)


def package_load():
    """Into the model's parameters, as Tenon does."""
    model.load_state_dict(load_file(theirs))


def package_open():
    """New tensors, in the pages of the file."""
    load_file(theirs)


def timed(f):
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


contenders = {
    "save": lambda: ask("save"),
    "write() of the bytes": lambda: ask("write"),
    "memcpy into a mapped file": lambda: ask("copy_in"),
    "safetensors: save_file": lambda: timed(package_save),
    "load": lambda: ask("load"),
    "memcpy out of a mapped file": lambda: ask("copy_out"),
    "safetensors: load_file, load_state_dict": lambda: timed(package_load),
    "safetensors: load_file alone": lambda: timed(package_open),
}
try:
    times = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, contender in contenders.items():
            contender()  # a virtual machine may have to ask for pages that were free for seconds
            times[name].append(contender())
    ours = None
    for name, taken in times.items():
        median = statistics.median(taken)
        ours = median if name in ("save", "load") else ours
        print(f"{name:42} {1e3 * median:7.0f} ms  {median / ours:5.2f}  ({1e3 * min(taken):.0f} to {1e3 * max(taken):.0f})")
    program.stdin.close()
    if program.wait() != 0:
        sys.exit("what was loaded is not what was saved")
finally:
    program.kill()
    shutil.rmtree(folder)
