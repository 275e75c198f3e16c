#!/usr/bin/env python3
"""first_call_inductor.py <network> <purpose>: the first call of a network that torch.compile compiles.

The networks and purposes are those of write_case. nn.LSTM would call a library's kernel, which is not compiled; so
an LSTM is what a user writes who wants it compiled: nn.LSTMCell in a loop over the steps.
"""
import sys

import torch
from torch import nn

import first_call


class lstm(nn.Module):
    """Layers of an LSTM over [rows, steps, features]; with two directions, each layer has their states side by side."""

    def __init__(self, features, hidden, layers, directions, dropout):
        super().__init__()
        self.hidden, self.directions, self.dropout = hidden, directions, nn.Dropout(dropout)
        self.layers = nn.ModuleList(
            nn.ModuleList(nn.LSTMCell(features if layer == 0 else directions * hidden, hidden) for _ in range(directions))
            for layer in range(layers))

    def states_of(self, cell, inputs):
        state = memory = inputs[0].new_zeros(inputs[0].shape[0], self.hidden)
        states = []
        for features in inputs:
            state, memory = cell(features, (state, memory))
            states.append(state)
        return states

    def forward(self, x):
        for number, cells in enumerate(self.layers):
            if number > 0:
                x = self.dropout(x)
            inputs = x.unbind(1)
            x = torch.stack(self.states_of(cells[0], inputs), 1)
            if self.directions == 2:
                backwards = self.states_of(cells[1], inputs[::-1])
                x = torch.cat([x, torch.stack(backwards[::-1], 1)], 2)
        return x


class lstm_chain(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.states, self.logits = lstm(8, 32, layers, 1, 0.0), nn.Linear(32, 4)
        self.inputs, self.target = (torch.zeros(1, 10, 8),), torch.zeros(1, 10, dtype=torch.long)

    def forward(self, x):
        return self.logits(self.states(x))


class index_lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedded, self.states = nn.Embedding(10, 128), lstm(128, 32, 2, 2, 0.5)
        self.query = nn.Sequential(nn.Embedding(10, 128), nn.Linear(128, 64))
        self.logits = nn.Linear(64, 10)
        self.inputs = (torch.zeros(32, 10, dtype=torch.long), torch.zeros(32, dtype=torch.long))
        self.target = torch.zeros(32, dtype=torch.long)

    def forward(self, tokens, index):
        states, query = self.states(self.embedded(tokens)), self.query(index)
        weights = torch.softmax(torch.einsum("bsf,bf->bs", states, query), 1)
        return self.logits(torch.einsum("bs,bsf->bf", weights, states))


network, purpose = sys.argv[1:]
model = index_lookup() if network == "s1" else lstm_chain(int(network.removeprefix("lstm:")))
model.train(purpose == "training")


def loss_of(*inputs):
    return nn.functional.cross_entropy(model(*inputs).flatten(0, -2), model.target.flatten())


compiled = torch.compile(loss_of if purpose == "training" else model, fullgraph=True)  # no part stays in Python


def call():
    if purpose == "training":
        loss = compiled(*model.inputs)
        loss.backward()
        return loss.numel()
    with torch.no_grad():
        return compiled(*model.inputs).numel()


first_call.report(sum(parameter.numel() for parameter in model.parameters()), call)
