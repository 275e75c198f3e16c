"""The first 20 batches of language models in PyTorch: the models, the windows, the carried state, the clipping and the schedules of
examples/characters.cpp, for tests/train/loop/language_model.cpp, and of examples/words.cpp, for tests/examples/word_model.cpp, smaller and
without dropout.

Run from the root of the repository, with PyTorch and safetensors:

    python tests/golden/language_model.py

It writes `tests/golden/language_model.safetensors` and `word_model.safetensors`, the weights they start from under PyTorch's names, and
files of these names `.txt` in the format of generate.py: the text as numbers, and each batch's loss before its update.
"""

import math
import pathlib
import zlib

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn

from generate import File

DIRECTORY = pathlib.Path(__file__).resolve().parent
STREAMS, STEPS, BATCHES, RATE = 4, 16, 20, 1e-2
TEXT = """First Citizen:
Before we proceed any further, hear me speak.

All:
Speak, speak.

First Citizen:
You are all resolved rather to die than to famish?

All:
Resolved. resolved.

First Citizen:
First, you know Caius Marcius is chief enemy to the people.

All:
We know't, we know't.

First Citizen:
Let us kill him, and we'll have corn at our own price.
Is't a verdict?

All:
No more talking on't; let it be done: away, away!

Second Citizen:
One word, good citizens.

First Citizen:
We are accounted poor citizens, the patricians good.
What authority surfeits on would relieve us: if they
would yield us but the superfluity, while it were
wholesome, we might guess they relieved us humanely;
but they think we are too dear: the leanness that
afflicts us, the object of our misery, is as an
inventory to particularise their abundance; our
sufferance is a gain to them Let us revenge this with
our pikes, ere we become rakes: for the gods know I
speak this in hunger for bread, not in thirst for revenge.

Second Citizen:
Would you proceed especially against Caius Marcius?

All:
Against him first: he's a very dog to the commonalty.

Second Citizen:
Consider you what services he has done for his country?

First Citizen:
Very well; and could be content to give him good
report fort, but that he pays himself with being proud.
"""  # Shakespeare, Coriolanus


class Model(nn.Module):
    def __init__(self, characters, embedded, hidden):
        super().__init__()
        self.embedded = nn.Embedding(characters, embedded)
        self.states = nn.LSTM(embedded, hidden, num_layers=2, batch_first=True)
        self.logits = nn.Linear(hidden, characters)

    def forward(self, x, state):
        y, state = self.states(self.embedded(x), state)
        return self.logits(y), state


def train(model, optimizer, tokens, streams, steps, max_norm, rate):
    """The losses of the first batches; rate(share of them that is done) is that of each update."""
    inputs, targets = tokens[:-1].view(streams, -1), tokens[1:].view(streams, -1)
    state, losses = None, []
    for k in range(BATCHES):
        window = slice(k * steps, (k + 1) * steps)
        logits, state = model(inputs[:, window], state)
        state = tuple(s.detach() for s in state)
        loss = F.cross_entropy(logits.flatten(0, 1), targets[:, window].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.param_groups[0]["lr"] = rate(k / BATCHES)
        optimizer.step()
        losses.append(loss.item())
    return losses


def write(name, tokens, losses, *comments):
    file = File(name, *comments, "losses[k] is taken before update k")
    file.put("tokens", tokens)
    file.put("losses", torch.tensor(losses))
    file.lines[0] = file.lines[0].replace("generate.py", "language_model.py")
    file.write()


def characters():
    torch.manual_seed(zlib.crc32(b"language_model"))
    known = sorted(set(TEXT))
    tokens = torch.tensor([known.index(c) for c in TEXT[:STREAMS * STEPS * BATCHES + 1]])
    assert len(tokens) == STREAMS * STEPS * BATCHES + 1 and len(known) <= 48
    model = Model(48, 8, 16)
    save_file(model.state_dict(), DIRECTORY / "language_model.safetensors")

    losses = train(model, torch.optim.Adam(model.parameters()), tokens, STREAMS, STEPS, 1.0,
                   lambda share: RATE / 2 * (1 + math.cos(math.pi * share)))
    write("language_model", tokens, losses, "two layers of LSTM, vocabulary 48, embedding 8, hidden 16: windows of 16 steps of 4 streams,",
          "the state carried; Adam, rate 1e-2 falling along half a cosine, gradients clipped to a norm of 1")


def words():
    """The table of the words scores the next word, too. Words are numbered as they come; more than 32 become number 0."""
    torch.manual_seed(zlib.crc32(b"word_model"))
    streams, steps, width, size = 4, 3, 8, 32
    text = " <eos> ".join(TEXT.splitlines()).split()[:streams * steps * BATCHES]
    known = ["<unk>"] + sorted(set(text), key=text.index)[:size - 1]
    tokens = torch.tensor([known.index(w) if w in known else 0 for w in ["<eos>"] + text])
    assert len(tokens) == streams * steps * BATCHES + 1
    model = Model(size, width, width)
    nn.init.uniform_(model.embedded.weight, -0.5, 0.5)
    model.logits.weight = model.embedded.weight
    weights = {name: value.clone() for name, value in model.state_dict().items()}
    save_file(weights, DIRECTORY / "word_model.safetensors")
    losses = train(model, torch.optim.SGD(model.parameters()), tokens, streams, steps, 0.25, lambda share: 20 * (1 - share))
    write("word_model", tokens, losses, "two layers of LSTM, vocabulary 32, tied tables of width 8: windows of 3 steps of 4 streams, the",
          "state carried; gradient descent, rate 20 falling along a line, gradients clipped to a norm of 0.25")


def main():
    torch.set_num_threads(1)
    characters()
    words()


if __name__ == "__main__":
    main()
