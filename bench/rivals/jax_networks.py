"""JAX: the works of bench_networks, each one program of XLA by jax.jit, with a lax.scan over the steps. A training step is forward,
backward and Adam, and its parameters and Adam's states are given away to it (donate_argnums).
"""

import jax
import numpy as np
from jax import lax, nn
from jax import numpy as jnp

rate, first_decay, second_decay, epsilon = 1e-4, 0.9, 0.999, 1e-8


def lstm_step(gates, memory):
    enter, forget, candidate, leave = jnp.split(gates, 4, axis=1)
    memory = nn.sigmoid(forget) * memory + nn.sigmoid(enter) * jnp.tanh(candidate)
    return nn.sigmoid(leave) * jnp.tanh(memory), memory


def lstm(theta, name, x, reverse=False):
    """[time, batch, features] to [time, batch, hidden]. What the inputs add to the gates is one product for all steps."""
    w, u = theta[f"states.weight_ih_{name}"], theta[f"states.weight_hh_{name}"]
    given = x @ w.T + (theta[f"states.bias_ih_{name}"] + theta[f"states.bias_hh_{name}"])

    def step(carried, of_input):
        state, memory = carried
        state, memory = lstm_step(of_input + state @ u.T, memory)
        return (state, memory), state

    zeros = jnp.zeros((x.shape[1], u.shape[1]))
    return lax.scan(step, (zeros, zeros), given, reverse=reverse)[1]


def gru(theta, x):
    u, bias = theta["states.weight_hh_l0"], theta["states.bias_hh_l0"]
    given = x @ theta["states.weight_ih_l0"].T + theta["states.bias_ih_l0"]

    def step(state, of_input):
        of_state = state @ u.T + bias
        (r, z, n), (reset, update, new) = jnp.split(of_input, 3, axis=1), jnp.split(of_state, 3, axis=1)
        z = nn.sigmoid(z + update)
        state = (1 - z) * jnp.tanh(n + nn.sigmoid(r + reset) * new) + z * state
        return state, state

    return lax.scan(step, jnp.zeros((x.shape[1], u.shape[1])), given)[1]


def linear(theta, name, x):
    return x @ theta[f"{name}.weight"].T + theta[f"{name}.bias"]


def index_lookup(theta, inputs):
    x = jnp.swapaxes(theta["embedded.weight"][inputs["tokens"]], 0, 1)
    for layer in ("l0", "l1"):
        x = jnp.concatenate([lstm(theta, layer, x), lstm(theta, f"{layer}_reverse", x, reverse=True)], 2)
    query = linear(theta, "query.1", theta["query.0.weight"][inputs["index"]])
    weights = nn.softmax(jnp.einsum("sbf,bf->bs", x, query))
    return linear(theta, "logits", jnp.einsum("bs,sbf->bf", weights, x))


def surnames(theta, inputs):
    return linear(theta, "logits", gru(theta, jnp.swapaxes(theta["embedded.weight"][inputs["tokens"]], 0, 1))[-1])


def characters(theta, inputs):
    states = gru(theta, jnp.swapaxes(theta["embedded.weight"][inputs["tokens"]], 0, 1))
    return linear(theta, "logits", jnp.swapaxes(states, 0, 1))


def stack(theta, inputs):
    x = jnp.swapaxes(inputs["x"], 0, 1)
    return linear(theta, "logits", lstm(theta, "l1", lstm(theta, "l0", x))[-1])


models = {"index lookup": index_lookup, "surnames": surnames, "characters": characters, "2 LSTM layers": stack}


def adam(theta, moments, gradients):
    count, first, second = moments
    count += 1
    first = jax.tree.map(lambda m, g: first_decay * m + (1 - first_decay) * g, first, gradients)
    second = jax.tree.map(lambda v, g: second_decay * v + (1 - second_decay) * g * g, second, gradients)
    to_first, to_second = 1 - first_decay**count, 1 - second_decay**count

    def updated(p, m, v):
        return p - rate * (m / to_first) / (jnp.sqrt(v / to_second) + epsilon)

    return jax.tree.map(updated, theta, first, second), (count, first, second)


class inference:
    def __init__(self, model, theta, inputs):
        self.call, self.theta, self.inputs = jax.jit(model), theta, inputs
        self.run(1)

    def run(self, runs):
        for _ in range(runs):
            jax.block_until_ready(self.call(self.theta, self.inputs))

    def answer(self, runs):
        return np.asarray(self.call(self.theta, self.inputs)).ravel()


class training:
    def __init__(self, model, theta, inputs):
        target = inputs.pop("target")

        def loss_of(theta, inputs):
            scores = nn.log_softmax(model(theta, inputs))
            return -jnp.mean(jnp.take_along_axis(scores, target[..., None], axis=-1))

        def step(theta, moments, inputs):
            loss, gradients = jax.value_and_grad(loss_of)(theta, inputs)
            return *adam(theta, moments, gradients), loss

        self.call, self.first, self.inputs = jax.jit(step, donate_argnums=(0, 1)), theta, inputs
        self.answer(1)

    def reset(self):
        zeros = jax.tree.map(jnp.zeros_like, self.first)
        self.theta = jax.tree.map(jnp.array, self.first)
        self.moments = (jnp.zeros(()), zeros, jax.tree.map(jnp.array, zeros))

    def run(self, runs):
        for _ in range(runs):
            self.theta, self.moments, loss = self.call(self.theta, self.moments, self.inputs)
            jax.block_until_ready(self.theta)
        return loss

    def answer(self, runs):
        """The loss of the last of so many steps from the start."""
        self.reset()
        return np.asarray(self.run(runs)).ravel()


def make(work):
    """None: this work is not done."""
    if "theta" not in work:
        return None
    name = next(name for name in models if work["name"].startswith(name))
    inputs = {k: jnp.asarray(work[k]) for k in ("tokens", "index", "x", "target") if k in work}
    trains = work["group"] == "training step"
    if not trains:
        inputs.pop("target", None)
    theta = {k: v.reshape(-1, v.shape[-1]) if k.split(".")[-1].startswith("weight") else v.ravel() for k, v in work["theta"].items()}
    return (training if trains else inference)(models[name], theta, inputs)


def note():
    return f"JAX {jax.__version__} on one thread; its times include the call from Python"
