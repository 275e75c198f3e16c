"""Writes the losses of the first 20 training batches of examples/translate's models, as PyTorch has them from the same parameters.

Run from the root of the repository, with any PyTorch 2: python tests/golden/translation.py

Writes tests/golden/translate_bahdanau.txt, translate_sutskever.txt and translate_transformer.txt: `source` and `target` [20, 8, 9] are the words of 20 batches with
the end token behind each sentence, then -1; `losses` [20] are those before each update. Parameter j starts as a multiple of fill(j, k) of generate.py.
"""

import math

import torch
import torch.nn.functional as F
from generate import File, fill
from torch import nn

START, END, BATCHES, ROWS, LONGEST = 1, 2, 20, 8, 9
SOURCE_WORDS, TARGET_WORDS, EMBEDDING, HIDDEN = 64, 48, 6, 8  # test::tiny
SCALE = 5  # of fill's [-0.1, 0.1)


def sentences():
    """Sentences of one to eight words; each target is the source backwards, in words of its own, without every fifth of them."""
    source = torch.full((BATCHES, ROWS, LONGEST), -1)
    target = torch.full((BATCHES, ROWS, LONGEST), -1)
    for batch in range(BATCHES):
        for row in range(ROWS):
            words = torch.randint(3, SOURCE_WORDS, (1 + int(torch.randint(LONGEST - 1, ())),)).tolist()
            written = [3 + word % (TARGET_WORDS - 3) for word in reversed(words) if word % 5 != 0]
            source[batch, row, : len(words) + 1] = torch.tensor(words + [END])
            target[batch, row, : len(written) + 1] = torch.tensor(written + [END])
    return source, target


class Named(nn.Module):
    """Parameters by their names, each starting as fill says."""

    def __init__(self, shapes):
        super().__init__()
        self.by_name = {}
        for j, (name, shape) in enumerate(shapes.items()):
            count = math.prod(shape)
            values = torch.tensor([SCALE * fill(j, k) for k in range(count)], dtype=torch.float64).float().view(shape)
            self.by_name[name] = nn.Parameter(values)
            self.register_parameter(name.replace(".", "_"), self.by_name[name])

    def __getitem__(self, name):
        return self.by_name[name]


def gates(prefix, features, hidden, context=0):
    """The matrices and biases of a gated unit (Cho et al. 2014), whose gates also see a context."""
    shapes = {}
    for gate in "zrn":
        shapes[prefix.format(f"W_{gate}")] = (hidden, features)
        shapes[prefix.format(f"U_{gate}")] = (hidden, hidden)
        if context:
            shapes[prefix.format(f"V_{gate}")] = (hidden, context)
        shapes[prefix.format(f"b_{gate}")] = (hidden,)
    return shapes


class Bahdanau(Named):
    """Bahdanau et al. 2015, appendix A.2."""

    def __init__(self):
        H = HIDDEN
        super().__init__(
            {"read.0.weight": (SOURCE_WORDS, EMBEDDING)}
            | gates("states.{}_l0", EMBEDDING, H)
            | gates("states.{}_l0_reverse", EMBEDDING, H)
            | {"first.W_s": (H, H), "first.b_s": (H,), "before.0.weight": (TARGET_WORDS, EMBEDDING)}
            | gates("decoder.{}_l0", EMBEDDING, H, 2 * H)
            | {"decoder.W_a_l0": (H, H), "decoder.U_a_l0": (H, 2 * H), "decoder.v_l0": (1, H)}
            | {"deep.W_o": (2 * H, 3 * H), "deep.V_o": (2 * H, EMBEDDING), "deep.b_o": (2 * H,)}
            | {"logits.1.weight": (TARGET_WORDS, H), "logits.1.bias": (TARGET_WORDS,)})

    def unit(self, prefix, x, h, c=None):
        def gate(letter, state):
            name = lambda symbol: prefix.format(f"{symbol}_{letter}")
            sum_ = x @ self[name("W")].T + state @ self[name("U")].T + self[name("b")]
            return sum_ if c is None else sum_ + c @ self[name("V")].T

        z, r = torch.sigmoid(gate("z", h)), torch.sigmoid(gate("r", h))
        return (1 - z) * h + z * torch.tanh(gate("n", r * h))

    def encode(self, source):
        x, there = self["read.0.weight"][source.clamp(min=0)], (source >= 0)[..., None]
        both = []
        for prefix, order in (("states.{}_l0", range(LONGEST)), ("states.{}_l0_reverse", reversed(range(LONGEST)))):
            h, states = torch.zeros(ROWS, HIDDEN), [None] * LONGEST
            for t in order:
                h = torch.where(there[:, t], self.unit(prefix, x[:, t], h), h)
                states[t] = h * there[:, t]
            both.append(torch.stack(states, 1))
        return torch.cat(both, -1), there

    def forward(self, source, word):
        states, there = self.encode(source)
        s = torch.tanh(states[:, 0, HIDDEN:] @ self["first.W_s"].T + self["first.b_s"])
        logits = []
        for t in range(LONGEST):
            y = self["before.0.weight"][word[:, t].clamp(min=0)]
            hidden = torch.tanh((s @ self["decoder.W_a_l0"].T)[:, None] + states @ self["decoder.U_a_l0"].T)
            scores = (hidden @ self["decoder.v_l0"].T).masked_fill(~there, -math.inf)
            c = (torch.softmax(scores, 1) * states).sum(1)
            deep = torch.cat([s, c], -1) @ self["deep.W_o"].T + y @ self["deep.V_o"].T + self["deep.b_o"]
            largest = torch.maximum(deep[:, :HIDDEN], deep[:, HIDDEN:])
            logits.append(largest @ self["logits.1.weight"].T + self["logits.1.bias"])
            s = self.unit("decoder.{}_l0", y, s, c)
        return torch.stack(logits, 1)

    def optimizer(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2), 1.0


class Sutskever(Named):
    """Sutskever et al. 2014: PyTorch's own LSTM, twice; the source is read backwards."""

    def __init__(self):
        shapes = {}
        for part, words in (("read", SOURCE_WORDS), ("encoder", 0), ("before", TARGET_WORDS), ("decoder", 0)):
            if words:
                shapes[f"{part}.0.weight"] = (words, EMBEDDING)
                continue
            for layer in range(4):
                shapes[f"{part}.weight_ih_l{layer}"] = (4 * HIDDEN, EMBEDDING if layer == 0 else HIDDEN)
                shapes[f"{part}.weight_hh_l{layer}"] = (4 * HIDDEN, HIDDEN)
                shapes[f"{part}.bias_ih_l{layer}"] = shapes[f"{part}.bias_hh_l{layer}"] = (4 * HIDDEN,)
        super().__init__(shapes | {"logits.1.weight": (TARGET_WORDS, HIDDEN), "logits.1.bias": (TARGET_WORDS,)})
        self.lstm = nn.LSTM(EMBEDDING, HIDDEN, num_layers=4, batch_first=True)

    def run(self, part, x, states):
        weights = {name.removeprefix(part + "."): value for name, value in self.by_name.items() if name.startswith(part + ".")}
        return torch.func.functional_call(self.lstm, weights, (x, states))

    def forward(self, source, word):
        lengths = (source >= 0).sum(1)
        first = torch.zeros(4, 1, HIDDEN)
        h_n, c_n = [], []
        for row, length in enumerate(lengths.tolist()):
            words = torch.cat([source[row, : length - 1].flip(0), source[row, length - 1 : length]])
            _, (h, c) = self.run("encoder", self["read.0.weight"][words][None], (first, first))
            h_n.append(h), c_n.append(c)
        output, _ = self.run("decoder", self["before.0.weight"][word.clamp(min=0)], (torch.cat(h_n, 1), torch.cat(c_n, 1)))
        return output @ self["logits.1.weight"].T + self["logits.1.bias"]

    def optimizer(self):
        return torch.optim.SGD(self.parameters(), lr=0.7 * 5), 5 / 5


class Transformer(Named):
    """PyTorch's own blocks of Vaswani et al. 2017, normalising first; the table of the target's words is the matrix of the scores."""

    smoothing = 0.1
    width, heads, feed_forward, blocks = 8, 4, 2 * HIDDEN, 3

    def __init__(self):
        blocks = {"norm": nn.LayerNorm(self.width)}
        for kind, layer in (("reading", nn.TransformerEncoderLayer), ("writing", nn.TransformerDecoderLayer)):
            blocks[kind] = layer(self.width, self.heads, self.feed_forward, dropout=0.0, batch_first=True, norm_first=True)
        shapes = {"read.0.weight": (SOURCE_WORDS, self.width), "before.0.weight": (TARGET_WORDS, self.width), "logits.bias": (TARGET_WORDS,)}
        self.reads = [f"memory.{k}" for k in range(self.blocks)]
        self.writes = ["first", "second", "third"]
        parts = dict.fromkeys(self.reads, "reading") | dict.fromkeys(self.writes, "writing") | {f"memory.{self.blocks}": "norm", "found": "norm"}
        for part, kind in parts.items():
            shapes |= {f"{part}.{name}": tuple(value.shape) for name, value in blocks[kind].named_parameters()}
        super().__init__(shapes)
        self.by_name["logits.weight"] = self["before.0.weight"]
        self.kinds, self.parts = [blocks], parts  # in a list: their own parameters are none of the model's

    def run(self, part, *x, **masks):
        weights = {name.removeprefix(part + "."): value for name, value in self.by_name.items() if name.startswith(part + ".")}
        return torch.func.functional_call(self.kinds[0][self.parts[part]], weights, x, masks)

    def placed(self, words, table):
        angle = torch.arange(LONGEST)[:, None] * 10000.0 ** (-2 * torch.arange(self.width // 2) / self.width)
        return self[table][words.clamp(min=0)] * math.sqrt(self.width) + torch.cat([angle.sin(), angle.cos()], -1)

    def forward(self, source, word):
        memory, padding = self.placed(source, "read.0.weight"), source < 0
        for part in self.reads:
            memory = self.run(part, memory, src_key_padding_mask=padding)
        memory = self.run(f"memory.{self.blocks}", memory)
        x, later = self.placed(word, "before.0.weight"), torch.ones(LONGEST, LONGEST, dtype=torch.bool).triu(1)
        for part in self.writes:
            x = self.run(part, x, memory, tgt_mask=later, memory_key_padding_mask=padding)
        return self.run("found", x) @ self["before.0.weight"].T + self["logits.bias"]

    def optimizer(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3), 1.0


def write(name, model):
    torch.manual_seed(1)
    source, target = sentences()
    optimizer, max_norm = model.optimizer()
    losses = []
    for batch in range(BATCHES):
        start = torch.full((ROWS, 1), START)
        word = torch.cat([start, target[batch, :, :-1]], 1)
        logits = model(source[batch], word)
        loss = F.cross_entropy(logits.flatten(0, 1), target[batch].flatten(), ignore_index=-1, label_smoothing=getattr(model, "smoothing", 0.0))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    file = File(name, type(model).__doc__, f"parameter order.<name> = j starts as {SCALE} fill(j, k)")
    file.lines[0] = file.lines[0].replace("generate.py", "translation.py")
    first = {}  # of a parameter that has two names
    for j, (parameter, value) in enumerate(model.by_name.items()):
        file.put("order." + parameter, torch.tensor(first.setdefault(id(value), j)))
    file.put("source", source)
    file.put("target", target)
    file.put("losses", torch.tensor(losses))
    file.write()


if __name__ == "__main__":
    torch.set_num_threads(1)
    write("translate_bahdanau", Bahdanau())
    write("translate_sutskever", Sutskever())
    write("translate_transformer", Transformer())
