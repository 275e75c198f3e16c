"""ONNX files of PyTorch's two exporters, and what the networks compute in double: tests/golden/onnx/NAME.onnx and NAME.txt.

    pip install torch==2.9.1 onnx onnxscript onnxruntime
    python tests/golden/onnx_files.py
    from_onnx NAME.onnx --to NAME.hpp --name NAME --steps 11      for each, which a test compares

Sizes are different primes, so that no transposition can hide. A text file has a line for each input (i) and output (o): its name, whether its
numbers are whole, its rank, its shape, its numbers. The script fails if ONNX Runtime computes something else.
"""
import os
import warnings

import numpy
import onnx
import onnxruntime
import torch
from torch import nn

warnings.filterwarnings("ignore")
torch.manual_seed(20261129)
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "onnx")
ROWS, STEPS, FEATURES, HIDDEN, CLASSES, WORDS = 7, 11, 5, 13, 3, 23


class Recurrent(nn.Module):
    def __init__(self, kind, layers, both):
        super().__init__()
        self.rnn = getattr(nn, kind)(FEATURES, HIDDEN, layers, batch_first=True, bidirectional=both)
        self.answer = nn.Linear(HIDDEN * (1 + both), CLASSES)

    def forward(self, x):
        return self.answer(self.rnn(x)[0])


class Tagger(nn.Module):  # rows of different lengths
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(WORDS, FEATURES)
        self.states = nn.LSTM(FEATURES, HIDDEN, batch_first=True, bidirectional=True)
        self.tags = nn.Linear(2 * HIDDEN, CLASSES)

    def forward(self, words, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.table(words), lengths, batch_first=True, enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.states(packed)[0], batch_first=True, total_length=words.shape[1])
        return self.tags(states)


class Ends(nn.Module):  # the last state of a sequence, and the mean of all
    def __init__(self):
        super().__init__()
        self.states = nn.GRU(FEATURES, HIDDEN, batch_first=True)
        self.answer = nn.Linear(2 * HIDDEN, CLASSES)

    def forward(self, x):
        states, _ = self.states(x)
        return torch.softmax(self.answer(torch.cat([states[:, -1], states.mean(1)], 1)), -1)


class TextCnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(WORDS, FEATURES)
        self.convolutions = nn.ModuleList([nn.Conv1d(FEATURES, HIDDEN, k, padding=k // 2) for k in (3, 5)])
        self.answer = nn.Linear(2 * HIDDEN, CLASSES)

    def forward(self, words):
        x = self.table(words).transpose(1, 2)
        found = torch.cat([torch.relu(c(x)).max(2).values for c in self.convolutions], 1)
        return torch.log_softmax(self.answer(found), -1)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(WORDS, 10)
        layer = nn.TransformerEncoderLayer(10, 2, 17, batch_first=True, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.answer = nn.Linear(10, CLASSES)
        for p in self.parameters():  # also biases, which would be 0
            nn.init.normal_(p, 0, 0.3)

    def forward(self, words):
        return self.answer(self.encoder(self.table(words)))


class DecoderStep(nn.Module):  # of a translation: attends to what an encoder made
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(WORDS, FEATURES)
        self.states = nn.GRU(FEATURES, HIDDEN, batch_first=True)
        self.answer = nn.Linear(2 * HIDDEN, WORDS)

    def forward(self, word, h0, memory):
        state, h = self.states(self.table(word), h0)
        weights = torch.softmax(torch.matmul(state, memory.transpose(1, 2)), -1)
        return self.answer(torch.cat([state, torch.matmul(weights, memory)], -1)), h


class IndexLookup(nn.Module):  # the word at a place of a sequence, found by attention
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(WORDS, FEATURES)
        self.states = nn.LSTM(FEATURES, HIDDEN, 2, batch_first=True, bidirectional=True)
        self.places = nn.Embedding(STEPS, 7)
        self.query = nn.Linear(7, 2 * HIDDEN)
        self.answer = nn.Linear(2 * HIDDEN, WORDS)

    def forward(self, words, index):
        states, _ = self.states(self.table(words))
        query = self.query(self.places(index))
        weights = torch.softmax(torch.bmm(states, query.unsqueeze(2)).squeeze(2), 1)
        return self.answer(torch.bmm(weights.unsqueeze(1), states).squeeze(1))


class Image(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 5, (3, 5), padding=(1, 2))
        self.second = nn.Conv2d(5, 7, 3, stride=2)
        self.answer = nn.Linear(7, CLASSES)

    def forward(self, image):
        x = torch.max_pool2d(torch.relu(self.first(image)), 2)
        return self.answer(torch.tanh(self.second(x)).mean((2, 3)))


class Mixed(nn.Module):  # equations that are no layer
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(FEATURES, HIDDEN)
        self.value = nn.Linear(FEATURES, HIDDEN, bias=False)
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-3)
        self.scale = nn.Parameter(torch.randn(HIDDEN))

    def forward(self, x):
        g = torch.sigmoid(self.gate(x))
        return self.norm(g * torch.tanh(self.value(x)) + (1 - g) * self.scale) * 0.5


def numbers(*shape):
    return torch.randn(*shape)


def words(*shape):
    return torch.randint(0, WORDS, shape)


def write(name, model, inputs, outputs, dynamic, new=False):
    model.eval()
    path = os.path.join(FOLDER, name + ".onnx")
    if new:
        shapes = tuple({d: torch.export.Dim.AUTO for d in axes} for axes in dynamic.values()) or None
        torch.onnx.export(model, tuple(inputs.values()), path, dynamo=True, input_names=list(inputs), output_names=outputs,
                          dynamic_shapes=shapes, external_data=False, verbose=False)
    else:
        axes = dict(dynamic)
        torch.onnx.export(model, tuple(inputs.values()), path, dynamo=False, input_names=list(inputs), output_names=outputs,
                          dynamic_axes=axes, opset_version=17)
    file = onnx.load(path)
    for node in file.graph.node:  # where in the exporter's own sources it came from
        del node.metadata_props[:]
        node.doc_string = ""
    for value in file.graph.value_info:
        del value.metadata_props[:]
    del file.graph.value_info[:]
    del file.graph.metadata_props[:]
    onnx.save(file, path)
    wide = [x.double() if x.is_floating_point() else x for x in inputs.values()]
    with torch.no_grad():
        expected = model.double()(*wide)
    expected = expected if isinstance(expected, tuple) else (expected,)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    got = session.run(outputs, {n: x.numpy() for n, x in inputs.items()})
    for e, g in zip(expected, got):
        assert numpy.abs(e.numpy() - g).max() < 2e-6, name
    with open(os.path.join(FOLDER, name + ".txt"), "w") as text:
        for kind, values in (("i", inputs.items()), ("o", zip(outputs, expected))):
            for value, x in values:
                whole = int(not x.is_floating_point())
                shape = " ".join(str(n) for n in x.shape)
                text.write(f"{kind} {value} {whole} {x.dim()} {shape} " + " ".join(repr(n) for n in x.flatten().tolist()) + "\n")
    model.float()
    print(name, len(file.graph.node), "nodes", os.path.getsize(path), "bytes")


os.makedirs(FOLDER, exist_ok=True)
sequence = {"x": {0: "batch", 1: "steps"}}
text = {"words": {0: "batch", 1: "steps"}}
for kind in ("LSTM", "GRU", "RNN"):
    for layers in (1, 2):
        for both in (False, True):
            name = kind.lower() + str(layers) + ("_both" if both else "")
            write(name, Recurrent(kind, layers, both), {"x": numbers(ROWS, STEPS, FEATURES)}, ["answer"], sequence)
for kind in ("LSTM", "GRU"):
    write(kind.lower() + "2_both_new", Recurrent(kind, 2, True), {"x": numbers(ROWS, STEPS, FEATURES)}, ["answer"], sequence, new=True)
lengths = torch.tensor([11, 1, 7, 11, 2, 5, 3])
write("tagger", Tagger(), {"words": words(ROWS, STEPS), "lengths": lengths}, ["tags"],
      {"words": {0: "batch", 1: "steps"}, "lengths": {0: "batch"}})
write("ends", Ends(), {"x": numbers(ROWS, STEPS, FEATURES)}, ["answer"], sequence)
for new in (False, True):
    ending = "_new" if new else ""
    write("text_cnn" + ending, TextCnn(), {"words": words(ROWS, STEPS)}, ["answer"], text, new)
    write("encoder" + ending, Encoder(), {"words": words(ROWS, STEPS)}, ["answer"], text, new)
    write("index_lookup" + ending, IndexLookup(), {"words": words(ROWS, STEPS), "index": torch.randint(0, STEPS, (ROWS,))}, ["answer"],
          {"words": {0: "batch", 1: "steps"}, "index": {0: "batch"}}, new)
write("encoder_one", Encoder(), {"words": words(1, STEPS)}, ["answer"], {}, new=True)  # one row, as an example that says nothing of axes
write("decoder_step", DecoderStep(), {"word": words(ROWS, 1), "h0": numbers(1, ROWS, HIDDEN), "memory": numbers(ROWS, STEPS, HIDDEN)},
      ["answer", "h"], {"word": {0: "batch"}, "h0": {1: "batch"}, "memory": {0: "batch", 1: "steps"}})
write("image", Image(), {"image": numbers(ROWS, 3, 11, 13)}, ["answer"], {"image": {0: "batch"}})
write("mixed", Mixed(), {"x": numbers(ROWS, STEPS, FEATURES)}, ["answer"], sequence)
