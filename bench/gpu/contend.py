# The same works in PyTorch, eager, compiled and in a CUDA graph; cuDNN underneath. Writes the lines that bench/gpu/page reads, a file for
# each work, whole or not at all.
#   contend.py <folder> <seconds of a measurement> <lookup|block|parts|lstm_<hidden>_<batch>|gru_<hidden>_<batch>> ..
import os, statistics, sys, time

import torch
from torch import nn

torch.manual_seed(1)
device = "cuda"


folder, seconds, works = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
lines = []


def microseconds_of(f):
    def once(calls):
        start = time.perf_counter()
        for _ in range(calls):
            f()
        torch.cuda.synchronize()
        return (time.perf_counter() - start) * 1e6 / calls

    once(3)
    calls = max(1, min(10000, int(seconds / 9 * 1e6 / once(1))))
    return statistics.median(once(calls) for _ in range(9))


def captured(f):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            f()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        f()
    return graph.replay


ways = {
    "PyTorch": lambda make: make(lambda m: m),
    "PyTorch, compiled": lambda make: make(torch.compile),
    "PyTorch, CUDA graph": lambda make: captured(make(lambda m: m)),
}


def contend(section, row, make, columns=tuple(ways)):
    """make(compile) returns the work as a function; a way that fails is left out, with its reason on stderr."""
    for column in columns:
        try:
            lines.append("\t".join((section, row, column, f"{microseconds_of(ways[column](make)):.4g}")))
        except Exception as error:  # lengths cannot be captured, for one
            print(f"{section}, {row}, {column}: {str(error).splitlines()[0]}", file=sys.stderr)


def training(model, loss_of):
    rule = torch.optim.Adam(model.parameters(), capturable=True)

    def step():
        rule.zero_grad(set_to_none=True)
        loss_of().backward()
        rule.step()

    return step


def recurrent(kind, hidden, batch):
    module = {"lstm": nn.LSTM, "gru": nn.GRU}[kind]
    for steps in (32, 128):
        x = torch.rand(batch, steps, hidden, device=device) * 2 - 1
        lengths = torch.randint(1, steps + 1, (batch,))
        for full in (True, False):
            row = f"hidden {hidden}, batch {batch}, {steps} steps" + ("" if full else ", with lengths")

            def states(model):
                if full:
                    return model(x)[0]
                packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
                return nn.utils.rnn.pad_packed_sequence(model(packed)[0], batch_first=True)[0]

            def ask(compiled):
                model = compiled(module(hidden, hidden, batch_first=True).to(device))

                def f():
                    with torch.no_grad():
                        states(model)

                return f

            def train(compiled):
                layer = module(hidden, hidden, batch_first=True).to(device)
                model = compiled(layer)

                def loss():
                    y = states(model)
                    return nn.functional.mse_loss(y, x[:, : y.shape[1]])

                return training(layer, loss)

            # torch.compile leaves the layer to cuDNN, and packed sequences cannot be captured
            columns = ("PyTorch", "PyTorch, CUDA graph") if full else ("PyTorch",)
            contend(f"{kind}, inference", row, ask, columns)
            contend(f"{kind}, training step", row, train, columns)


class IndexLookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.index = nn.Embedding(10, 128), nn.Embedding(10, 128)
        self.states = nn.LSTM(128, 32, num_layers=2, bidirectional=True, batch_first=True)
        self.query, self.logits = nn.Linear(128, 64), nn.Linear(64, 10)

    def forward(self, tokens, index):
        h, _ = self.states(self.tokens(tokens))
        q = self.query(self.index(index))
        w = torch.softmax(torch.einsum("btd,bd->bt", h, q), 1)
        return self.logits(torch.einsum("bt,btd->bd", w, h))


def network(row, make_module, inputs, loss_of):
    def ask(compiled):
        model = compiled(make_module().to(device).eval())

        def f():
            with torch.no_grad():
                model(*inputs)

        return f

    def train(compiled):
        module = make_module().to(device)
        model = compiled(module)
        return training(module, lambda: loss_of(model(*inputs)))

    contend("networks, inference", row, ask)
    contend("networks, training step", row, train)


def lookup():
    tokens, index = torch.randint(10, (32, 10), device=device), torch.randint(10, (32,), device=device)
    network("index lookup, batch 32", IndexLookup, (tokens, index), lambda y: nn.functional.cross_entropy(y, index))


def block():
    x = torch.rand(8, 128, 256, device=device) * 2 - 1
    network(
        "transformer block 256, batch 8, 128 steps",
        lambda: nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True),
        (x,),
        lambda y: nn.functional.mse_loss(y, x),
    )


def parts():
    x = torch.rand(8, 128, 256, device=device) * 2 - 1

    def attention(compiled):
        model = compiled(nn.MultiheadAttention(256, 4, batch_first=True).to(device).eval())

        def f():
            with torch.no_grad():
                model(x, x, x, need_weights=False)

        return f

    contend("parts", "self-attention, forward: 256 in 4 heads, batch 8, 128 steps", attention)
    scores = torch.rand(512, 32000, device=device)
    contend("parts", "softmax, forward: 512 rows of 32,000 classes", lambda c: (lambda m: lambda: m(scores))(c(nn.Softmax(dim=1))))
    tokens, target = torch.randint(32000, (32, 128), device=device), torch.rand(32, 128, 256, device=device)

    def words(compiled):
        table = nn.Embedding(32000, 256).to(device)
        model = compiled(table)

        def f():
            table.zero_grad(set_to_none=True)
            nn.functional.mse_loss(model(tokens), target).backward()

        return f

    contend("parts", "embedding, forward and backward: 32,000 rows of 256, 4,096 tokens", words)


torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False  # as Tenon: numbers are float
for work in works:
    name, *sizes = work.split("_")
    lines.clear()
    if sizes:
        recurrent(name, *map(int, sizes))
    else:
        {"lookup": lookup, "block": block, "parts": parts}[name]()
    path = os.path.join(folder, work + ".torch.tsv")
    with open(path + ".new", "w") as file:
        file.writelines(line + "\n" for line in lines)
    os.replace(path + ".new", path)
