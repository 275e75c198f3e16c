"""Writes the golden values that the tests compare Tenon with: PyTorch's outputs and gradients in small cases.

Run from the root of the repository, with any PyTorch 2 (the CPU build will do):

    python tests/golden/generate.py                 # every file
    python tests/golden/generate.py linear s1_adam  # these only

Each case is one function and writes `tests/golden/<case>.txt`, which `golden.hpp` reads. A tensor takes two
lines: `name d0 d1 ...` (a scalar has the name alone) and its values in C order, separated by blanks, as %.9g,
so that a float comes back bit for bit. Lines that start with `#` are comments.

Names: `param.<p>` a parameter under PyTorch's name, the inputs under their own names, outputs likewise,
`grad_output.<o>` the gradient that flows into output o, `grad.<p>` the gradient of a parameter,
`grad.input.<i>` that of a real-valued input.

Everything is computed in float32 on one thread, each case from its own seed: two runs give identical files.
Another PyTorch or another processor may change last digits.
"""

import math
import pathlib
import sys
import zlib

import torch
import torch.nn.functional as F
from torch import nn

DIRECTORY = pathlib.Path(__file__).resolve().parent
CASES = {}


class File:
    """Collects named tensors and writes them as one text file."""

    def __init__(self, name, *comments):
        self.name = name
        version = torch.__version__.split("+")[0]
        self.lines = [f"# written by tests/golden/generate.py with torch {version}"]
        self.lines += [f"# {comment}" for comment in comments]
        self.names = set()

    def put(self, name, value):
        assert name not in self.names and " " not in name and not name.startswith("#"), name
        self.names.add(name)
        value = torch.as_tensor(value).detach()
        values = value.flatten().tolist()
        assert all(math.isfinite(v) for v in values), f"{self.name}: {name}"
        self.lines.append(" ".join([name, *map(str, value.shape)]))
        self.lines.append(" ".join("%.9g" % v for v in values))

    def put_all(self, tensors, prefix=""):
        for name, value in tensors.items():
            self.put(prefix + name, value)

    def put_run(self, parameters, inputs, outputs, upstream):
        """Stores a whole case: parameters, inputs, outputs, the gradients that enter, and all that result."""
        loss = sum((outputs[name] * gradient).sum() for name, gradient in upstream.items())
        real = {name: value for name, value in inputs.items() if value.requires_grad}
        leaves = {**{f"grad.{n}": p for n, p in parameters.items()},
                  **{f"grad.input.{n}": i for n, i in real.items()}}
        gradients = torch.autograd.grad(loss, list(leaves.values()))
        self.put_all(parameters, "param.")
        self.put_all(inputs)
        self.put_all(outputs)
        self.put_all(upstream, "grad_output.")
        self.put_all(dict(zip(leaves, gradients)))

    def write(self):
        path = DIRECTORY / f"{self.name}.txt"
        path.write_text("\n".join(self.lines) + "\n", encoding="ascii", newline="\n")
        print(f"{path.stat().st_size:8d} {path.name}")


def case(function):
    """Registers a case under its function's name; a case returns its filled File."""
    CASES[function.__name__] = function
    return function


def leaf(*shape, scale=1.0):
    return (torch.randn(*shape) * scale).requires_grad_()


def like(outputs):
    """A normal upstream gradient for each output."""
    return {name: torch.randn_like(value) for name, value in outputs.items()}


@case
def embedding(name):
    file = File(name, "V=7 D=5, padding_idx=2: that row is zero and gets no gradient; some tokens repeat")
    layer = nn.Embedding(7, 5, padding_idx=2)
    tokens = torch.tensor([[4, 2, 0], [6, 4, 1], [2, 4, 6], [3, 0, 2]])
    outputs = {"output": layer(tokens)}
    file.put("padding_idx", 2)
    file.put_run(dict(layer.named_parameters()), {"tokens": tokens}, outputs, like(outputs))
    return file


@case
def embedding_tied(name):
    file = File(name, "logits = tanh(E[token]) E': V=7 D=5, padding_idx=2, one weight for both; the padding row gets the",
                "gradient of the logits alone")
    layer = nn.Embedding(7, 5, padding_idx=2)
    nn.init.normal_(layer.weight, std=0.5)
    tokens = torch.tensor([[4, 2, 0], [6, 4, 1], [2, 4, 6], [3, 0, 2]])
    outputs = {"output": F.linear(torch.tanh(layer(tokens)), layer.weight)}
    file.put_run(dict(layer.named_parameters()), {"tokens": tokens}, outputs, like(outputs))
    return file


@case
def embedding_by_frequency(name):
    file = File(name, "V=7 D=5, padding_idx=2, scale_grad_by_freq: a token's gradient is divided by how often it is there")
    layer = nn.Embedding(7, 5, padding_idx=2, scale_grad_by_freq=True)
    tokens = torch.tensor([[4, 2, 0], [6, 4, 1], [2, 4, 6], [3, 0, 2]])
    outputs = {"output": layer(tokens)}
    file.put_run(dict(layer.named_parameters()), {"tokens": tokens}, outputs, like(outputs))
    return file


def train_with_max_norm(file, word, tokens, targets, **options):
    """Steps of SGD, rate 0.5, of an embedding whose rows are renormalised when they are looked up, and a linear layer."""
    layer, linear = nn.Embedding(9, 4, **options), nn.Linear(4, 3)
    optimizer = torch.optim.SGD([*layer.parameters(), *linear.parameters()], lr=0.5)
    file.put_all({f"{word}.embedded.weight": layer.weight, f"{word}.logits.weight": linear.weight,
                  f"{word}.logits.bias": linear.bias})
    losses = []
    for x, y in zip(tokens, targets):
        loss = F.cross_entropy(linear(layer(x)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    file.put(f"{word}.losses", torch.tensor(losses))
    file.put_all({f"{word}.after.embedded.weight": layer.weight, f"{word}.after.logits.weight": linear.weight,
                  f"{word}.after.logits.bias": linear.bias})


@case
def embedding_max_norm(name):
    file = File(name, "V=9 D=4, five steps of SGD (rate 0.5) with 4 tokens each, of which some repeat; before a look-up its rows",
                "are scaled to max_norm, in place: two.* max_norm 1.2 of norm 2, one.* max_norm 2 of norm 1")
    tokens, targets = torch.randint(8, (5, 4)), torch.randint(3, (5, 4))  # row 8 is never looked up
    file.put("tokens", tokens)
    file.put("targets", targets)
    train_with_max_norm(file, "two", tokens, targets, max_norm=1.2)
    train_with_max_norm(file, "one", tokens, targets, max_norm=2.0, norm_type=1.0)
    return file


@case
def linear(name):
    file = File(name, "y = x W^T + b, in 5, out 3")
    layer = nn.Linear(5, 3)
    x = leaf(4, 5)
    outputs = {"output": layer(x)}
    file.put_run(dict(layer.named_parameters()), {"input": x}, outputs, like(outputs))
    return file


def recurrent(name, kind, layers, directions, bias=True, proj_size=0):
    """A recurrent layer over a padded batch. PyTorch refuses length 0, so it sees the other rows only; a row
    of length 0 has zero outputs and its initial state as final state."""
    features, hidden, steps = 5, 4 if proj_size else 3, 6
    lengths = torch.tensor([5, 0, 6, 1, 2])
    batch = len(lengths)
    options = dict(num_layers=layers, bidirectional=directions == 2, bias=bias, batch_first=True)
    file = File(name,
                f"{kind}, input {features}, hidden {hidden}, T {steps}, B {batch}, batch first, "
                f"layers {layers}, directions {directions}, bias {bias}" + f", proj_size {proj_size}" * (proj_size > 0),
                "input is not zero beyond a row's length: nothing may depend on it",
                "row of length 0: zero output, final state = initial state")
    match kind:
        case "lstm":
            layer = nn.LSTM(features, hidden, proj_size=proj_size, **options)
        case "gru":
            layer = nn.GRU(features, hidden, **options)
        case _:
            layer = nn.RNN(features, hidden, nonlinearity=kind.removeprefix("rnn_"), **options)

    x = leaf(batch, steps, features)
    states = {s: leaf(layers * directions, batch, proj_size if proj_size and s == "h0" else hidden, scale=0.5)
              for s in (("h0", "c0") if kind == "lstm" else ("h0",))}

    live = torch.nonzero(lengths > 0).flatten()
    packed = nn.utils.rnn.pack_padded_sequence(x[live], lengths[live], batch_first=True, enforce_sorted=False)
    start = [s[:, live].contiguous() for s in states.values()]
    packed, final = layer(packed, tuple(start) if kind == "lstm" else start[0])
    output, _ = nn.utils.rnn.pad_packed_sequence(packed, batch_first=True, total_length=steps)
    final = final if kind == "lstm" else (final,)

    outputs = {"output": torch.zeros(batch, steps, directions * (proj_size or hidden)).index_copy(0, live, output)}
    for initial, value in zip(states, final):
        outputs[initial[0] + "_n"] = states[initial].index_copy(1, live, value)
    upstream = like(outputs)
    valid = torch.arange(steps) < lengths[:, None]
    upstream["output"] *= valid[:, :, None]
    inputs = {"input": x, "lengths": lengths, **states}
    file.put_run(dict(layer.named_parameters()), inputs, outputs, upstream)
    return file


def register_recurrent():
    def register(name, *arguments, **options):
        CASES[name] = lambda name: recurrent(name, *arguments, **options)

    for kind in ("rnn_tanh", "rnn_relu", "lstm", "gru"):
        for layers in (1, 2):
            for directions, word in ((1, "uni"), (2, "bi")):
                register(f"{kind}_l{layers}_{word}", kind, layers, directions)
    for kind in ("lstm", "gru"):
        register(f"{kind}_l1_uni_nobias", kind, 1, 1, bias=False)
    register("lstm_proj_l1_uni_nobias", "lstm", 1, 1, bias=False, proj_size=3)
    register("lstm_proj_l2_bi", "lstm", 2, 2, proj_size=3)


register_recurrent()


def dot_attention(query, states, lengths):
    """weights[b] = softmax over t < lengths[b] of query[b] . states[b, t], zeros where the length is 0;
    context[b] = sum over t of weights[b, t] states[b, t]."""
    valid = torch.arange(states.shape[1]) < lengths[:, None]
    energies = torch.einsum("bd,btd->bt", query, states)
    lowest = torch.finfo(energies.dtype).min
    weights = torch.softmax(energies.masked_fill(~valid, lowest), dim=1) * valid
    return torch.einsum("bt,btd->bd", weights, states), weights


@case
def attention_dot(name):
    file = File(name, "dot score without scaling; B 4, T 6, D 5",
                "row of length 0: context, weights and gradients are zero",
                "states is not zero beyond a row's length: nothing may depend on it")
    query, states, lengths = leaf(4, 5), leaf(4, 6, 5), torch.tensor([4, 0, 6, 1])
    context, weights = dot_attention(query, states, lengths)
    file.put_run({}, {"query": query, "states": states, "lengths": lengths},
                 {"context": context, "weights": weights}, {"context": torch.randn_like(context)})
    return file


def past(lengths, steps):
    """True behind each row's end, as PyTorch's key_padding_mask has it: [batch, steps]."""
    return torch.arange(steps)[None, :] >= lengths[:, None]


def sequences_of(file, layer, run, **inputs):
    """A case of sequences with lengths: outputs are zero behind each row's end, and so are their gradients."""
    for parameter in layer.parameters():
        nn.init.normal_(parameter, std=0.5)
    lengths = {f"{name}_lengths": value for name, (_, value) in inputs.items()}
    values = {name: value for name, (value, _) in inputs.items()}
    first, first_lengths = next(iter(inputs.values()))
    ended = past(first_lengths, first.shape[1])[..., None]
    output = run(*(x for pair in inputs.values() for x in (pair[0], past(pair[1], pair[0].shape[1]))))
    output = output.masked_fill(ended, 0)
    upstream = torch.randn_like(output).masked_fill(ended, 0)
    file.put_run(dict(layer.named_parameters()), values, {"output": output}, {"output": upstream})
    file.put_all(lengths)
    return file


def later(steps):
    return torch.ones(steps, steps, dtype=torch.bool).triu(1)


@case
def multi_head_self(name):
    file = File(name, "nn.MultiheadAttention(8, 2) of a sequence to itself; B 3, T 5")
    layer = nn.MultiheadAttention(8, 2, batch_first=True)
    return sequences_of(file, layer, lambda x, end: layer(x, x, x, key_padding_mask=end)[0],
                        query=(leaf(3, 5, 8), torch.tensor([5, 3, 1])))


@case
def multi_head_causal(name):
    file = File(name, "nn.MultiheadAttention(6, 3) of a sequence to its steps so far; B 3, T 5")
    layer = nn.MultiheadAttention(6, 3, batch_first=True)
    return sequences_of(file, layer, lambda x, end: layer(x, x, x, attn_mask=later(5), key_padding_mask=end)[0],
                        query=(leaf(3, 5, 6), torch.tensor([5, 3, 1])))


@case
def multi_head_cross(name):
    file = File(name, "nn.MultiheadAttention(6, 3, kdim=4, vdim=4) of one sequence to another; B 3, T 4 and 5")
    layer = nn.MultiheadAttention(6, 3, kdim=4, vdim=4, batch_first=True)
    return sequences_of(file, layer, lambda q, _, m, end: layer(q, m, m, key_padding_mask=end)[0],
                        query=(leaf(3, 4, 6), torch.tensor([2, 4, 3])),
                        memory=(leaf(3, 5, 4), torch.tensor([5, 1, 3])))


@case
def transformer_encoder(name):
    file = File(name, "nn.TransformerEncoderLayer(8, 2, 12, dropout=0); B 3, T 5")
    layer = nn.TransformerEncoderLayer(8, 2, 12, dropout=0.0, batch_first=True)
    return sequences_of(file, layer, lambda x, end: layer(x, src_key_padding_mask=end),
                        query=(leaf(3, 5, 8), torch.tensor([5, 3, 1])))


@case
def transformer_encoder_norm_first(name):
    file = File(name, "nn.TransformerEncoderLayer(6, 3, 10, dropout=0, activation='gelu', norm_first=True); B 3, T 4")
    layer = nn.TransformerEncoderLayer(6, 3, 10, dropout=0.0, activation="gelu", norm_first=True, batch_first=True)
    return sequences_of(file, layer, lambda x, end: layer(x, src_key_padding_mask=end),
                        query=(leaf(3, 4, 6), torch.tensor([4, 1, 2])))


@case
def transformer_decoder(name):
    file = File(name, "nn.TransformerDecoderLayer(6, 2, 9, dropout=0), causal; B 3, T 4 and 5")
    layer = nn.TransformerDecoderLayer(6, 2, 9, dropout=0.0, batch_first=True)
    return sequences_of(file, layer,
                        lambda x, end, m, m_end: layer(x, m, tgt_mask=later(4), tgt_key_padding_mask=end,
                                                       memory_key_padding_mask=m_end),
                        query=(leaf(3, 4, 6), torch.tensor([2, 4, 3])),
                        memory=(leaf(3, 5, 6), torch.tensor([5, 1, 3])))


class AttendingGru(nn.Module):
    """The decoder of Bahdanau et al. 2015, appendix A.2.2, without its maxout output."""

    def __init__(self, features, memory, hidden, units):
        super().__init__()
        shapes = {"W_a": (units, hidden), "U_a": (units, memory), "v": (1, units)}
        for gate in "zrn":
            shapes |= {f"W_{gate}": (hidden, features), f"U_{gate}": (hidden, hidden),
                       f"V_{gate}": (hidden, memory), f"b_{gate}": (hidden,)}
        for symbol, shape in shapes.items():
            self.register_parameter(symbol, nn.Parameter(torch.empty(shape)))

    def forward(self, y, ended, memory, memory_ended):
        s = torch.zeros(y.shape[0], self.U_z.shape[0])
        outputs = []
        for t in range(y.shape[1]):
            e = torch.tanh((s @ self.W_a.T)[:, None] + memory @ self.U_a.T) @ self.v.T
            weights = torch.softmax(e.masked_fill(memory_ended[..., None], -math.inf), dim=1)
            c = (weights * memory).sum(1)
            gate = lambda g, h: y[:, t] @ getattr(self, f"W_{g}").T + h @ getattr(self, f"U_{g}").T + \
                c @ getattr(self, f"V_{g}").T + getattr(self, f"b_{g}")
            z, r = torch.sigmoid(gate("z", s)), torch.sigmoid(gate("r", s))
            s = torch.where(ended[:, t, None], s, (1 - z) * s + z * torch.tanh(gate("n", r * s)))
            outputs.append(s)
        return torch.stack(outputs, 1)


@case
def attending_gru(name):
    file = File(name, "Bahdanau's decoder over a memory; B 3, T 4, memory 5 steps, hidden 6, 7 units of the score")
    layer = AttendingGru(3, 4, 6, 7)
    return sequences_of(file, layer, layer, query=(leaf(3, 4, 3), torch.tensor([2, 4, 3])),
                        memory=(leaf(3, 5, 4), torch.tensor([5, 1, 3])))


class Decoder(nn.Module):
    """A decoder of its own equations, one step after the other: learned symbols by name, and GRU gates of x."""

    def __init__(self, x, hidden, **shapes):
        super().__init__()
        for gate in "rzn":
            shapes |= {f"W_{gate}": (hidden, x), f"U_{gate}": (hidden, hidden), f"b_{gate}": (hidden,)}
        for symbol, shape in shapes.items():
            self.register_parameter(symbol, nn.Parameter(torch.empty(shape)))

    def gru(self, x, h):
        gate = lambda g, h: x @ getattr(self, f"W_{g}").T + h @ getattr(self, f"U_{g}").T + getattr(self, f"b_{g}")
        r, z = torch.sigmoid(gate("r", h)), torch.sigmoid(gate("z", h))
        return (1 - z) * h + z * torch.tanh(gate("n", r * h))

    def forward(self, y, ended, memory, memory_ended):
        states = [torch.zeros(y.shape[0], size) for size in self.sizes]
        outputs = []
        for t in range(y.shape[1]):
            following = self.step(y[:, t], states, memory, memory_ended)
            states = [torch.where(ended[:, t, None], old, new) for old, new in zip(states, following)]
            outputs.append(states[-1])
        return torch.stack(outputs, 1)


class LuongDecoder(Decoder):
    """Luong et al. 2015: the general score (eq. 8), the attentional vector (eq. 5), and its input feeding (section 3.3)."""

    def __init__(self, features, memory, hidden):
        super().__init__(features + hidden, hidden, W_a=(hidden, memory), W_c=(hidden, memory + hidden))
        self.sizes = hidden, hidden

    def step(self, y, states, memory, memory_ended):
        h, attentional = states
        h = self.gru(torch.cat([y, attentional], 1), h)
        scores = (memory @ self.W_a.T @ h[..., None]).masked_fill(memory_ended[..., None], -math.inf)
        c = (torch.softmax(scores, dim=1) * memory).sum(1)
        return h, torch.tanh(torch.cat([c, h], 1) @ self.W_c.T)


class TutorialDecoder(Decoder):
    """The AttnDecoderRNN of PyTorch's tutorial on translation, without its embedding and output layers: a weight for each of
    the longest memory's steps from the input and the state; the memory is zero behind its end."""

    def __init__(self, features, memory, hidden, longest):
        super().__init__(hidden, hidden, W_attn=(longest, features + hidden), b_attn=(longest,),
                         W_combine=(hidden, features + memory), b_combine=(hidden,))
        self.sizes = hidden,

    def step(self, y, states, memory, memory_ended):
        weights = torch.softmax(torch.cat([y, states[0]], 1) @ self.W_attn.T + self.b_attn, dim=1)
        found = (weights[..., None] * memory.masked_fill(memory_ended[..., None], 0)).sum(1)
        x = torch.relu(torch.cat([y, found], 1) @ self.W_combine.T + self.b_combine)
        return self.gru(x, states[0]),


@case
def luong_decoder(name):
    file = File(name, "Luong's decoder with input feeding over a memory; B 3, T 4, memory 5 steps, hidden 6")
    layer = LuongDecoder(3, 4, 6)
    return sequences_of(file, layer, layer, query=(leaf(3, 4, 3), torch.tensor([2, 4, 3])),
                        memory=(leaf(3, 5, 4), torch.tensor([5, 1, 3])))


@case
def tutorial_decoder(name):
    file = File(name, "the tutorial's decoder over a memory; B 3, T 4, memory 5 steps, hidden 6")
    layer = TutorialDecoder(3, 4, 6, 5)
    return sequences_of(file, layer, layer, query=(leaf(3, 4, 3), torch.tensor([2, 4, 3])),
                        memory=(leaf(3, 5, 4), torch.tensor([5, 1, 3])))


def windowed(name, comment, x, layer, **parameters):
    """A layer over the places of images [batch, height, width, features], or of sequences [batch, time, features]; PyTorch
    has the features in front."""
    file = File(name, comment, "features last; a weight is [channels, height * width * features]")
    in_front = x.movedim(-1, 1)
    outputs = {"output": layer(in_front, **parameters).movedim(1, -1).contiguous()}
    file.put_run(parameters, {"input": x}, outputs, like(outputs))
    return file


@case
def conv1d(name):
    def layer(x, weight, bias):
        weight = weight.reshape(5, 3, 4).movedim(-1, 1)
        return F.conv1d(x, weight, bias, stride=2, padding=2, dilation=2)
    return windowed(name, "4 to 5 channels, width 3, stride 2, padding 2, dilation 2", leaf(3, 9, 4), layer,
                    weight=leaf(5, 12, scale=0.4), bias=leaf(5))


@case
def conv2d(name):
    def layer(x, weight, bias):
        weight = weight.reshape(3, 3, 2, 2).movedim(-1, 1)
        return F.conv2d(x, weight, bias, stride=(2, 1), padding=(1, 0), dilation=(1, 2))
    return windowed(name, "2 to 3 channels, 3 x 2, stride 2 x 1, padding 1 x 0, dilation 1 x 2", leaf(3, 7, 6, 2), layer,
                    weight=leaf(3, 12, scale=0.4), bias=leaf(3))


@case
def max_pool1d(name):
    return windowed(name, "width 3, stride 2, padding 1", leaf(3, 8, 2),
                    lambda x: F.max_pool1d(x, 3, stride=2, padding=1))


@case
def max_pool2d(name):
    return windowed(name, "3 x 2, stride 2 x 1, padding 1 x 0", leaf(3, 6, 5, 2),
                    lambda x: F.max_pool2d(x, (3, 2), stride=(2, 1), padding=(1, 0)))


@case
def avg_pool2d(name):
    return windowed(name, "2 x 3, stride 2 x 2, padding 1 x 1", leaf(3, 5, 6, 2),
                    lambda x: F.avg_pool2d(x, (2, 3), stride=2, padding=1))


@case
def pixels(name):
    file = File(name, "a class for each place of a grid: 3 to 5 channels, 1 x 1 at every second place, class weights, label",
                "smoothing 0.1, targets of -1 left out; features last")
    x, weight, bias = leaf(3, 4, 6, 3), leaf(5, 3), leaf(5)
    logits = F.conv2d(x.movedim(-1, 1), weight[..., None, None], bias, stride=2)
    targets = torch.randint(-1, 5, (3, 2, 3))
    log_p, weights, counted = torch.log_softmax(logits, 1).movedim(1, -1), torch.tensor([1, 2, 0.5, 1, 3]), targets >= 0
    of_target = F.one_hot(targets.clamp(min=0), 5) * weights
    losses = -0.9 * (of_target * log_p).sum(-1) - 0.1 * (weights * log_p).mean(-1)
    loss = losses[counted].sum() / of_target[counted].sum()
    file.put_run({"weight": weight, "bias": bias}, {"input": x, "targets": targets}, {"loss": loss},
                 {"loss": torch.tensor(1.0)})
    return file


@case
def cross_entropy(name):
    file = File(name, "mean over the rows whose target is not ignore_index; loss.backward() with gradient 1",
                "row 1 spans -80 to 80 with its target at -80; row 4 lies near 100, where exp overflows")
    logits = torch.randn(6, 7)
    logits[1] = torch.tensor([80.0, -80.0, 3.0, -0.5, 79.0, 0.25, -40.0])
    logits[4] += 100
    logits.requires_grad_()
    targets = torch.tensor([3, 1, 6, -1, 0, 5])
    loss = F.cross_entropy(logits, targets, ignore_index=-1)
    file.put("ignore_index", -1)
    file.put_run({}, {"logits": logits, "targets": targets}, {"loss": loss}, {"loss": torch.tensor(1.0)})
    return file


@case
def softmax_logsoftmax(name):
    file = File(name, "along the last axis; grad.input.softmax is the gradient of input through softmax,",
                "grad.input.log_softmax the one through log_softmax")
    x = leaf(4, 9, scale=2.0)
    file.put("input", x)
    for function in (torch.softmax, torch.log_softmax):
        word = function.__name__
        output = function(x, dim=-1)
        upstream = torch.randn_like(output)
        file.put(word, output)
        file.put(f"grad_output.{word}", upstream)
        file.put(f"grad.input.{word}", torch.autograd.grad(output, x, upstream)[0])
    return file


@case
def activations(name):
    file = File(name, "<f> is f(x), d.<f> its derivative by x; log is log(|x| + 0.1),",
                "sqrt is sqrt(|x| + 0.1), gelu is the exact one (erf)")
    x = torch.linspace(-6, 6, 41)
    x[20] = 0.05  # not 0, where relu and abs have no derivative
    x.requires_grad_()
    file.put("x", x)
    functions = {
        "sigmoid": torch.sigmoid, "tanh": torch.tanh, "relu": torch.relu, "exp": torch.exp,
        "log": lambda v: torch.log(v.abs() + 0.1), "sqrt": lambda v: torch.sqrt(v.abs() + 0.1),
        "square": torch.square, "abs": torch.abs, "softplus": F.softplus, "gelu": F.gelu,
    }
    for word, function in functions.items():
        output = function(x)
        file.put(word, output)
        file.put(f"d.{word}", torch.autograd.grad(output.sum(), x)[0])
    return file


@case
def layer_norm(name):
    file = File(name, "D 7, eps 1e-5, biased variance")
    layer = nn.LayerNorm(7, eps=1e-5)
    with torch.no_grad():
        layer.weight.copy_(1 + 0.5 * torch.randn(7))
        layer.bias.copy_(0.5 * torch.randn(7))
    x = (torch.randn(5, 7) * 2 + 0.5).requires_grad_()
    outputs = {"output": layer(x)}
    file.put_run(dict(layer.named_parameters()), {"input": x}, outputs, like(outputs))
    return file


@case
def adaptive_softmax(name):
    file = File(name, "17 features, 12 classes, cutoffs 3 and 7, div_value 4; the output is all log-probabilities")
    layer = nn.AdaptiveLogSoftmaxWithLoss(17, 12, [3, 7], div_value=4.0, head_bias=False)
    x = leaf(5, 17)
    outputs = {"output": layer.log_prob(x)}
    file.put_run(dict(layer.named_parameters()), {"input": x}, outputs, like(outputs))
    return file


class IndexLookup(nn.Module):
    """Which digit stands at the index? Bidirectional LSTM over the digits, dot attention by the index."""

    def __init__(self):
        super().__init__()
        self.embedded = nn.Embedding(10, 128)
        self.states = nn.LSTM(128, 32, num_layers=2, bidirectional=True, batch_first=True)
        self.query = nn.Sequential(nn.Embedding(10, 128), nn.Linear(128, 64))
        self.logits = nn.Linear(64, 10)

    def forward(self, tokens, index):
        states, _ = self.states(self.embedded(tokens))
        context, _ = dot_attention(self.query(index), states, torch.full((len(tokens),), tokens.shape[1]))
        return self.logits(context)


def fill(j, k):
    """Element k of the j-th parameter, in [-0.1, 0.1); golden::fill is the same function."""
    u = (k * 2654435761 + (j + 1) * 40503 * 65537) % 2**32
    u ^= u >> 15
    u = u * 2246822519 % 2**32
    u ^= u >> 13
    return (u / 2**32 - 0.5) * 0.2


def filled_index_lookup():
    model = IndexLookup()
    with torch.no_grad():
        for j, parameter in enumerate(model.parameters()):
            values = torch.tensor([fill(j, k) for k in range(parameter.numel())], dtype=torch.float64)
            parameter.copy_(values.view_as(parameter))
    return model


@case
def s1_adam(name):
    steps, batch, digits = 10, 8, 10
    model = filled_index_lookup()
    parameters = dict(model.named_parameters())
    file = File(name, "index lookup: digits [8,10] and an index [8] each step; mean cross-entropy;",
                "ten steps of Adam, rate 1e-3, betas 0.9 0.999, eps 1e-8",
                "j-th parameter (0-based, in this order) filled with fill(j, k):",
                *("  " + parameter for parameter in parameters),
                "fill.value[i] = fill(fill.j[i], fill.k[i]); losses[n] is taken before step n's update",
                "<p>.positions are eight flat positions of <p>; grad.<p>.* belong to the first step,",
                "after.<p>.* to the values after step ten: sum and sum of squares (both taken in double),",
                "and the entries at the positions")
    js = [0, 0, 0, 1, 2, 5, 9, 13, 17, 18, 20, 21]
    ks = [0, 1, 1279, 16383, 4095, 7, 8191, 100, 1000, 8191, 639, 9]
    file.put("fill.j", torch.tensor(js))
    file.put("fill.k", torch.tensor(ks))
    file.put("fill.value", torch.tensor([fill(j, k) for j, k in zip(js, ks)]))

    def put_summary(prefix, tensors):
        for word, value in tensors.items():
            value = value.detach().flatten()
            file.put(f"{prefix}.{word}.sum", value.double().sum())
            file.put(f"{prefix}.{word}.sum_squares", value.double().square().sum())
            file.put(f"{prefix}.{word}.entries", value[positions[word]])

    positions = {word: torch.tensor([i * (p.numel() - 1) // 7 for i in range(8)])
                 for word, p in parameters.items()}
    for word, value in positions.items():
        file.put(f"{word}.positions", value)

    tokens = torch.randint(10, (steps, batch, digits))
    index = torch.randint(digits, (steps, batch))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    losses = []
    for step in range(steps):
        targets = tokens[step].gather(1, index[step][:, None])[:, 0]
        loss = F.cross_entropy(model(tokens[step], index[step]), targets)
        optimizer.zero_grad()
        loss.backward()
        if step == 0:
            put_summary("grad", {word: p.grad for word, p in parameters.items()})
        optimizer.step()
        losses.append(loss.item())
    put_summary("after", parameters)
    file.put("tokens", tokens)
    file.put("index", index)
    file.put("losses", torch.tensor(losses))
    return file


@case
def optimizers(name):
    optim = torch.optim
    contenders = {
        "sgd": (optim.SGD, dict(lr=0.1)),
        "sgd_momentum": (optim.SGD, dict(lr=0.1, momentum=0.9)),
        "sgd_nesterov": (optim.SGD, dict(lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)),
        "sgd_nesterov_plain": (optim.SGD, dict(lr=0.1, momentum=0.9, nesterov=True)),
        "sgd_decay": (optim.SGD, dict(lr=0.1, momentum=0.5, weight_decay=0.1)),
        "adam": (optim.Adam, dict(lr=0.01)),
        "adam_decay": (optim.Adam, dict(lr=0.01, weight_decay=0.1)),
        "adamw": (optim.AdamW, dict(lr=0.01, weight_decay=0.1)),
        "adagrad": (optim.Adagrad, dict(lr=0.01)),
        "adadelta": (optim.Adadelta, dict(lr=0.01)),
        "adadelta_lr1": (optim.Adadelta, dict(lr=1.0)),
        "rmsprop": (optim.RMSprop, dict(lr=0.01)),
        "adagrad_decay": (optim.Adagrad, dict(lr=0.01, weight_decay=0.1)),
        "adadelta_decay": (optim.Adadelta, dict(lr=1.0, weight_decay=0.1)),
        "rmsprop_decay": (optim.RMSprop, dict(lr=0.01, weight_decay=0.1)),
    }

    def comment(word, kind, options):
        defaults = kind([torch.zeros(1, requires_grad=True)], **options).defaults
        shown = ("lr", "momentum", "nesterov", "weight_decay", "betas", "eps", "rho", "alpha", "lr_decay",
                 "initial_accumulator_value")
        return f"{word}: " + ", ".join(f"{o} {defaults[o]}" for o in shown if o in defaults)

    file = File(name, "<optimizer>[n] follows from <optimizer>[n-1] (or initial) by a step with gradients[n]",
                *(comment(word, *contender) for word, contender in contenders.items()),
                "clip: norm is that of both gradients together; each is scaled by max_norm / (norm + 1e-6)")
    initial, gradients = torch.randn(9), torch.randn(10, 9)
    file.put("initial", initial)
    file.put("gradients", gradients)
    for word, (kind, options) in contenders.items():
        parameter = initial.clone().requires_grad_()
        optimizer = kind([parameter], **options)
        values = []
        for gradient in gradients:
            parameter.grad = gradient.clone()
            optimizer.step()
            values.append(parameter.detach().clone())
        file.put(word, torch.stack(values))

    clipped = {"a": torch.zeros(3, 5), "b": torch.zeros(7)}
    for tensor in clipped.values():
        tensor.grad = torch.randn_like(tensor)
    file.put("clip.max_norm", 1.0)
    file.put_all({word: t.grad for word, t in clipped.items()}, "clip.before.")
    norm = nn.utils.clip_grad_norm_(clipped.values(), max_norm=1.0)
    file.put("clip.norm", norm)
    file.put_all({word: t.grad for word, t in clipped.items()}, "clip.after.")
    return file


@case
def sparse_optimizers(name):
    file = File(name, "a table [6, 3], torch.nn.Embedding(sparse=True), 10 steps; loss = sum(rows * upstream[n])",
                "sgd: lr 0.1; adagrad: lr 0.1; sparse_adam: lr 0.1, defaults; tokens repeat, and rows 4 and 5 are rare")
    initial, tokens, upstream = torch.randn(6, 3), torch.randint(0, 4, (10, 4)), torch.randn(10, 4, 3)
    tokens[3, 1] = tokens[7, 2] = 4
    file.put("initial", initial)
    file.put("tokens", tokens)
    file.put("upstream", upstream)
    contenders = {"sgd": torch.optim.SGD, "adagrad": torch.optim.Adagrad, "sparse_adam": torch.optim.SparseAdam}
    for word, kind in contenders.items():
        table = nn.Embedding.from_pretrained(initial.clone(), freeze=False, sparse=True)
        optimizer = kind(table.parameters(), lr=0.1)
        values = []
        for rows, g in zip(tokens, upstream):
            optimizer.zero_grad()
            (table(rows) * g).sum().backward()
            optimizer.step()
            values.append(table.weight.detach().clone())
        file.put(word, torch.stack(values))
    return file


@case
def moving_average(name):
    file = File(name, "torch.optim.swa_utils.AveragedModel with get_ema_multi_avg_fn(0.9), behind each step of SGD, lr 0.1")
    weight = nn.Linear(5, 1, bias=False)
    averaged = torch.optim.swa_utils.AveragedModel(
        weight, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
    optimizer = torch.optim.SGD(weight.parameters(), lr=0.1)
    gradients = torch.randn(10, 1, 5)
    file.put("initial", weight.weight[0])
    file.put("gradients", gradients[:, 0])
    weights, averages = [], []
    for g in gradients:
        weight.weight.grad = g.clone()
        optimizer.step()
        averaged.update_parameters(weight)
        weights.append(weight.weight.detach()[0].clone())
        averages.append(averaged.module.weight.detach()[0].clone())
    file.put("weights", torch.stack(weights))
    file.put("averages", torch.stack(averages))
    return file


def unrolled(file, shapes, step):
    """A cell h' = step(parameters, x_t, h) over T 4, B 2, all lengths T; input 5, hidden 3. The first letter
    of a name in shapes (W, U or b) gives its shape."""
    features, hidden, steps, batch = 5, 3, 4, 2
    extents = {"W": (hidden, features), "U": (hidden, hidden), "b": (hidden,)}
    parameters = {name: leaf(*extents[name[0]], scale=0.5) for name in shapes.split()}
    x, h0 = leaf(batch, steps, features), leaf(1, batch, hidden, scale=0.5)
    h, rows = h0[0], []
    for t in range(steps):
        h = step(parameters, x[:, t], h)
        rows.append(h)
    outputs = {"output": torch.stack(rows, dim=1), "h_n": h[None]}
    file.put_run(parameters, {"input": x, "h0": h0}, outputs, like(outputs))
    return file


@case
def gru_cho(name):
    file = File(name, "GRU in Cho's form: z = s(W_z x + U_z h + b_z), r = s(W_r x + U_r h + b_r),",
                "n = tanh(W_n x + b_n + U_n (r*h)), h' = (1-z)*h + z*n; input [B,T,5], h0 and h_n [1,B,3]")

    def step(p, x, h):
        z = torch.sigmoid(x @ p["W_z"].T + h @ p["U_z"].T + p["b_z"])
        r = torch.sigmoid(x @ p["W_r"].T + h @ p["U_r"].T + p["b_r"])
        n = torch.tanh(x @ p["W_n"].T + p["b_n"] + (r * h) @ p["U_n"].T)
        return (1 - z) * h + z * n

    return unrolled(file, "W_z U_z b_z W_r U_r b_r W_n U_n b_n", step)


@case
def mut1(name):
    file = File(name, "MUT1 (Jozefowicz et al. 2015), x projected:",
                "z = s(W_z x + b_z), r = s(W_r x + U_r h + b_r),",
                "h' = tanh(U_h (r*h) + tanh(W_h x) + b_h)*z + h*(1-z); input [B,T,5], h0 and h_n [1,B,3]")

    def step(p, x, h):
        z = torch.sigmoid(x @ p["W_z"].T + p["b_z"])
        r = torch.sigmoid(x @ p["W_r"].T + h @ p["U_r"].T + p["b_r"])
        return torch.tanh((r * h) @ p["U_h"].T + torch.tanh(x @ p["W_h"].T) + p["b_h"]) * z + h * (1 - z)

    return unrolled(file, "W_z b_z W_r U_r b_r W_h U_h b_h", step)


@case
def choices(name):
    """The probabilities that torch.multinomial would draw by, filtered as generation with PyTorch does."""
    file = File(name, "softmax(scores / temperature) of those that top_k, then top_p leave: top_p keeps the fewest of the",
                "largest whose probabilities reach it; options: temperature, top_k (0: all), top_p")
    options = [(1, 0, 1), (0.7, 0, 1), (2.5, 0, 1), (1, 1, 1), (1, 5, 1), (0.5, 8, 1), (1, 0, 0.1), (1, 0, 0.5), (1, 0, 0.9),
               (0.8, 0, 0.95), (1.3, 7, 0.6), (0.9, 12, 0.85)]
    scores = torch.randn(len(options), 20) * 2
    probabilities = []
    for row, (temperature, top_k, top_p) in zip(scores, options):
        logits = row / temperature
        if top_k > 0:
            logits = logits.masked_fill(logits < torch.topk(logits, top_k).values[-1], -math.inf)
        ordered, order = torch.sort(logits, descending=True)
        p = F.softmax(ordered, dim=0)
        ordered = ordered.masked_fill(p.cumsum(0) - p >= top_p, -math.inf)
        probabilities.append(F.softmax(torch.empty_like(logits).scatter_(0, order, ordered), dim=0))
    file.put("scores", scores)
    file.put("options", torch.tensor(options, dtype=torch.float64))
    file.put("probabilities", torch.stack(probabilities))
    return file


def main(names):
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    unknown = [name for name in names if name not in CASES]
    if unknown:
        sys.exit(f"unknown case {', '.join(unknown)}; the cases are {', '.join(CASES)}")
    for name in names or CASES:
        torch.manual_seed(zlib.crc32(name.encode()))
        CASES[name](name).write()


if __name__ == "__main__":
    main(sys.argv[1:])
