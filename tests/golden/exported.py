"""Loads a file that Tenon saved into PyTorch's modules, strictly, for tests/io/exported.cpp.

Run from the root of the repository, with PyTorch and safetensors, behind the test that writes the file:

    TENON_EXPORT_TO=/tmp/exported.safetensors build/clang/tests/io/exported
    python tests/golden/exported.py /tmp/exported.safetensors

It writes `tests/golden/exported.txt` in the format of generate.py: the state dict as PyTorch has it, and the logits of three texts. Where
the test finds a difference, what is saved is no longer what PyTorch reads, or computes something else.
"""

import sys

import torch
from safetensors.torch import load_file
from torch import nn

from generate import File


class Exported(nn.Module):
    """The graph `exported` of tests/io/exported.cpp."""

    def __init__(self):
        super().__init__()
        self.embedded = nn.Embedding(11, 8, padding_idx=0)
        self.encoded = nn.TransformerEncoderLayer(8, 2, 16, dropout=0, batch_first=True)
        self.mixed = nn.MultiheadAttention(8, 2, batch_first=True)
        self.normed = nn.LayerNorm(8)
        self.windows = nn.Conv1d(8, 6, 3)
        self.states = nn.LSTM(6, 5, num_layers=2, bidirectional=True, proj_size=3, batch_first=True)
        self.second = nn.GRU(6, 4, num_layers=2, bidirectional=True, batch_first=True)
        self.third = nn.RNN(8, 4, nonlinearity="relu", batch_first=True)
        self.logits = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3))

    def forward(self, tokens):
        x = self.encoded(self.embedded(tokens))
        x = self.normed(self.mixed(x, x, x, need_weights=False)[0])
        x = self.windows(x.movedim(-1, 1)).movedim(1, -1)
        x, _ = self.second(self.states(x)[0])
        _, last = self.third(x)
        return self.logits(last[0])


def main(path):
    model = Exported().eval()
    model.load_state_dict(load_file(path), strict=True)
    torch.manual_seed(1)
    tokens = torch.randint(0, 11, (3, 6))
    file = File("exported", "a file that Tenon saved, as torch.nn's modules loaded it strictly, and their logits: exported.py")
    file.put_all(model.state_dict(), "state.")
    file.put("tokens", tokens)
    with torch.no_grad():
        file.put("logits", model(tokens))
    file.write()


main(sys.argv[1])
