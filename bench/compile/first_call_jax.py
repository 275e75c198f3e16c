#!/usr/bin/env python3
"""first_call_jax.py <network> <purpose> <scan|unrolled>: the first call of a network that jax.jit compiles.

The networks and purposes are those of write_case. The steps of an LSTM are a lax.scan or, unrolled, a loop of Python.
"""
import sys

import jax
import numpy
from jax import lax, nn
from jax import numpy as jnp

import first_call

network, purpose, steps_are = sys.argv[1:]
training = purpose == "training"
numbers = numpy.random.default_rng(1)


def drawn(*shape):
    return numbers.uniform(-0.1, 0.1, shape).astype(numpy.float32)


def linear_parameters(features, outputs):
    return {"weight": drawn(features, outputs), "bias": drawn(outputs)}


def linear(parameters, x):
    return x @ parameters["weight"] + parameters["bias"]


def lstm_parameters(features, hidden, layers, directions):
    return [[{"input": linear_parameters(features if layer == 0 else directions * hidden, 4 * hidden),
              "state": linear_parameters(hidden, 4 * hidden)} for _ in range(directions)] for layer in range(layers)]


def states_of(cell, x):
    """Of one direction of one layer: [rows, steps, features] to [rows, steps, hidden]."""
    def step(carried, features):
        state, memory = carried
        gates = linear(cell["input"], features) + linear(cell["state"], state)
        enter, forget, candidate, leave = jnp.split(gates, 4, axis=1)
        memory = nn.sigmoid(forget) * memory + nn.sigmoid(enter) * jnp.tanh(candidate)
        state = nn.sigmoid(leave) * jnp.tanh(memory)
        return (state, memory), state

    zeros = jnp.zeros((x.shape[0], cell["state"]["weight"].shape[0]))
    carried = (zeros, zeros)
    if steps_are == "scan":
        return jnp.swapaxes(lax.scan(step, carried, jnp.swapaxes(x, 0, 1))[1], 0, 1)
    states = []
    for number in range(x.shape[1]):
        carried, state = step(carried, x[:, number])
        states.append(state)
    return jnp.stack(states, 1)


def lstm(layers, x, dropout, key):
    for number, directions in enumerate(layers):
        if training and dropout > 0 and number > 0:
            x = jnp.where(jax.random.bernoulli(key, 1 - dropout, x.shape), x / (1 - dropout), 0)
        states = [states_of(directions[0], x)]
        if len(directions) == 2:
            states.append(states_of(directions[1], x[:, ::-1])[:, ::-1])
        x = jnp.concatenate(states, 2)
    return x


def lstm_chain(parameters, x, key):
    return linear(parameters["logits"], lstm(parameters["states"], x, 0, key))


def index_lookup(parameters, tokens, index, key):
    states = lstm(parameters["states"], parameters["embedded"][tokens], 0.5, key)
    query = linear(parameters["query"], parameters["query embedded"][index])
    weights = nn.softmax(jnp.einsum("bsf,bf->bs", states, query))
    return linear(parameters["logits"], jnp.einsum("bs,bsf->bf", weights, states))


if network == "s1":
    model = index_lookup
    parameters = {"embedded": drawn(10, 128), "states": lstm_parameters(128, 32, 2, 2), "query embedded": drawn(10, 128),
                  "query": linear_parameters(128, 64), "logits": linear_parameters(64, 10)}
    inputs = (numpy.zeros((32, 10), numpy.int32), numpy.zeros(32, numpy.int32))
    target = numpy.zeros(32, numpy.int32)
else:
    model = lstm_chain
    parameters = {"states": lstm_parameters(8, 32, int(network.removeprefix("lstm:")), 1),
                  "logits": linear_parameters(32, 4)}
    inputs = (numpy.zeros((1, 10, 8), numpy.float32),)
    target = numpy.zeros((1, 10), numpy.int32)


def loss_of(parameters, inputs, target, key):
    scores = nn.log_softmax(model(parameters, *inputs, key))
    return -jnp.mean(jnp.take_along_axis(scores, target[..., None], axis=-1))


key = jax.random.key(1)
compiled = jax.jit(jax.value_and_grad(loss_of)) if training else jax.jit(model)


def call():
    if training:
        loss, gradients = compiled(parameters, inputs, target, key)
        jax.block_until_ready(gradients)
        return loss.size
    return jax.block_until_ready(compiled(parameters, *inputs, key)).size


first_call.report(sum(array.size for array in jax.tree.leaves(parameters)), call)
