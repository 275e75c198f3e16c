#!/usr/bin/env python3
"""Writes the files below tests/io/files/ with PyTorch, NumPy and safetensors: python3 tests/io/generate.py

They are committed, so that the tests need no Python. `generate.py check FILE` loads a file that Tenon wrote into the PyTorch
model of state_dict.safetensors, strictly, and compares its logits.
"""
import os
import sys

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import nn

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")


def path(name):
    return os.path.join(FILES, name)


class Model(nn.Module):
    """The graph `model` of tests/io/parameters.cpp."""

    def __init__(self):
        super().__init__()
        self.embedded = nn.Embedding(7, 4)
        self.states = nn.GRU(4, 3, bidirectional=True, batch_first=True)
        self.trigrams = nn.Conv1d(6, 5, 3)
        self.logits = nn.Linear(5, 2)

    def forward(self, tokens):
        states, _ = self.states(self.embedded(tokens))
        trigrams = self.trigrams(states.movedim(-1, 1)).movedim(1, -1)
        return self.logits(trigrams.mean(1))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedded = nn.Embedding(6, 4)
        self.logits = nn.Linear(4, 6)
        self.logits.weight = self.embedded.weight


def state_dict():
    torch.manual_seed(1)
    model, tokens = Model(), torch.tensor([[1, 4, 2, 6, 0], [5, 3, 3, 1, 2]])
    save_file(model.state_dict(), path("state_dict.safetensors"), {"format": "pt"})
    save_file({"tokens": tokens, "logits": model(tokens).detach()}, path("run.safetensors"))
    halves = {name: value.to(torch.bfloat16 if "weight" in name else torch.float16)
              for name, value in model.state_dict().items()}
    save_file(halves, path("halves.safetensors"))
    kernel = torch.arange(2 * 3 * 2 * 5, dtype=torch.float64).reshape(2, 3, 2, 5)
    save_file({"y.weight": kernel, "y.bias": torch.tensor([0.5, -0.5])}, path("conv2d.safetensors"))


def tied():
    torch.manual_seed(2)
    state = Tied().state_dict()
    # As transformers and safetensors' own save_model write it: one name for a tensor that two modules share.
    save_file({name: value for name, value in state.items() if name != "logits.weight"}, path("tied_once.safetensors"))
    save_file({name: value.clone() for name, value in state.items()}, path("tied_twice.safetensors"))


def types():
    floats = torch.tensor([0.0, -0.0, 1.0, -2.5, 65504.0, 6e-8, float("inf"), float("nan")], dtype=torch.float64)
    tensors = {"f64": floats, "f32": floats.float(), "f16": floats.half(), "bf16": floats.bfloat16(),
               "bool": torch.tensor([[True], [False]]), "scalar": torch.tensor(2.5), "empty": torch.zeros(3, 0, 2)}
    for bits in (8, 16, 32, 64):
        tensors[f"i{bits}"] = torch.tensor([-2 ** (bits - 1), -1, 2 ** (bits - 1) - 1], dtype=getattr(torch, f"int{bits}"))
        most = torch.from_numpy(np.array([2**bits - 1, 0, 7], dtype=f"uint{bits}"))
        tensors[f"u{bits}"] = most
    save_file(tensors, path("types.safetensors"), {"über": 'a "quoted" line\n'})


def arrays():
    numbers = np.arange(24).reshape(2, 3, 4)
    for name, array in {"float32": (numbers * 0.5).astype("<f4"), "float16_fortran": np.asfortranarray(numbers.astype("<f2")),
                        "int64_big_endian": (numbers - 12).astype(">i8"), "uint8": numbers.astype("u1"),
                        "bool": numbers % 3 == 0, "scalar": np.array(2.5), "vector": np.array([1, -2, 300], "<i2"),
                        "empty": np.zeros((3, 0), "<f8"), "fortran_big_endian": np.asfortranarray(numbers.astype(">f4")),
                        "complex": np.array([1j]), "words": np.array(["a"]),
                        "records": np.zeros(1, [("a", "<f4"), ("b", "<i4")])}.items():
        np.save(path(f"{name}.npy"), array)
    np.save(path("objects.npy"), np.array([None]), allow_pickle=True)
    for version in ((2, 0), (3, 0)):
        with open(path(f"version{version[0]}.npy"), "wb") as file:
            np.lib.format.write_array(file, (numbers * 0.5).astype("<f4"), version)
    x, y = np.arange(6, dtype="<f4").reshape(2, 3), np.arange(1000, dtype="<i4") % 7
    np.savez(path("stored.npz"), x=x, y=y)
    np.savez_compressed(path("deflated.npz"), x=x, y=y)


def check(file):
    model, run = Model(), load_file(path("run.safetensors"))
    model.load_state_dict(load_file(file), strict=True)
    difference = (model(run["tokens"]) - run["logits"]).abs().max().item()
    print(f"loaded strictly; the logits differ by {difference}")
    return difference == 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        sys.exit(not check(sys.argv[2]))
    os.makedirs(FILES, exist_ok=True)
    state_dict()
    tied()
    types()
    arrays()
