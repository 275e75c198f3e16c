#!/usr/bin/env python3
"""contend.py <works>... <results> <notes> [--only=TEXT] [--benchmark_repetitions=N] [--benchmark_min_time=S]

Times ONNX Runtime on the works that bench_recurrent and bench_networks write with --write=<works>, appends
lines to <results> in the format of the other programs, and writes how it was measured to <notes>. The wheel
of ONNX Runtime has no C header, so it is called from Python: inputs and outputs are bound before, a step's
new state is the old one of the next, and an Identity is timed in the same way to tell what the call costs.
"""

import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper


def read_works(path):
    with open(path, "rb") as file:
        while line := file.readline():
            work = json.loads(line)
            for name, kind, shape in work["arrays"]:
                work[name] = np.fromfile(file, kind, int(np.prod(shape))).reshape(shape)
            yield work


class model:
    """A graph under construction: nodes, and arrays that are its constants."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, name, array):
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, kind, inputs, outputs, **options):
        self.nodes.append(helper.make_node(kind, inputs, outputs, **options))
        return outputs[0]

    def session(self, inputs, outputs):
        """inputs: name to array; outputs: name to shape."""
        types = {np.dtype("f4"): TensorProto.FLOAT, np.dtype("i4"): TensorProto.INT32}
        given = [helper.make_tensor_value_info(k, types[v.dtype], v.shape) for k, v in inputs.items()]
        found = [helper.make_tensor_value_info(k, TensorProto.FLOAT, v) for k, v in outputs.items()]
        graph = helper.make_graph(self.nodes, "work", given, found, self.constants)
        whole = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(whole)
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
        return ort.InferenceSession(whole.SerializeToString(), options, providers=["CPUExecutionProvider"])


class bound:
    """A session with bound inputs and outputs; states, old name to new, go to and fro between two places."""

    def __init__(self, session, inputs, outputs, states, answer):
        def value(array):
            return ort.OrtValue.ortvalue_from_numpy(np.array(array, order="C"), "cpu")

        self.call, self.turns = session.run_with_iobinding, []
        places = {k: [value(v), value(v)] for k, v in inputs.items()}
        places |= {
            k: [value(np.zeros(s, np.float32))] * 2 for k, s in outputs.items() if k not in states.values()
        }
        self.answers = places[answer]
        for turn in (0, 1):
            binding = session.io_binding()
            for k in inputs:
                binding.bind_ortvalue_input(k, places[k][turn])
            for k in outputs:
                old = {new: old for old, new in states.items()}.get(k)
                binding.bind_ortvalue_output(k, places[old][1 - turn] if old else places[k][turn])
            self.turns.append(binding)

    def run(self, pairs):
        call, (there, back) = self.call, self.turns
        for _ in range(pairs):
            call(there)
            call(back)

    def answer(self, runs):
        for k in range(runs):
            self.call(self.turns[k % 2])
        return self.answers[runs % 2].numpy().ravel()


def recurrent(work):
    steps, _, size = work["x"].shape
    lstm = len(work["bias_ih"]) == 4
    order = [0, 3, 1, 2] if lstm else [1, 0, 2]  # from i, f, g, o to i, o, f, g; from r, z, n to z, r, n
    m = model()
    weights = [m.constant(k, work[k][order].reshape(1, -1, size)) for k in ("weight_ih", "weight_hh")]
    biases = np.concatenate([work[k][order].ravel() for k in ("bias_ih", "bias_hh")])
    given = ["x", *weights, m.constant("bias", biases[None])]
    inputs, outputs, states = {"x": work["x"]}, {"y": (steps, 1, 1, size)}, {}
    named = ["y"]
    if steps == 1:
        states = {"h": "h_n", "c": "c_n"} if lstm else {"h": "h_n"}
        inputs |= {k: np.zeros((1, 1, size), np.float32) for k in states}
        outputs = {k: (1, 1, size) for k in states.values()}
        given, named = [*given, "", *states], ["", *states.values()]
    options = {} if lstm else {"linear_before_reset": 1}
    m.node("LSTM" if lstm else "GRU", given, named, hidden_size=size, **options)
    return bound(m.session(inputs, outputs), inputs, outputs, states, "h" if states else "y")


def index_lookup(work):
    batch, steps = work["tokens"].shape
    m = model()
    shape = m.constant("shape", np.array([steps, batch, 64], np.int64))
    x = m.node("Gather", [m.constant("table", work["embedded.weight"]), "tokens"], ["rows"])
    x = m.node("Transpose", [x], ["by_time"], perm=[1, 0, 2])
    for layer in (0, 1):

        def both(what):
            arrays = [work[f"states.{what}_l{layer}{direction}"] for direction in ("", "_reverse")]
            return np.stack([a.reshape(4, 32, -1)[[0, 3, 1, 2]].reshape(128, -1) for a in arrays])

        weights = [m.constant(f"{what}_{layer}", both(what)) for what in ("weight_ih", "weight_hh")]
        biases = np.concatenate([both("bias_ih"), both("bias_hh")], axis=1)[:, :, 0]
        given = [x, *weights, m.constant(f"bias_{layer}", biases)]
        x = m.node("LSTM", given, [f"directions_{layer}"], hidden_size=32, direction="bidirectional")
        x = m.node("Transpose", [x], [f"beside_{layer}"], perm=[0, 2, 1, 3])  # [time, batch, direction, 32]
        x = m.node("Reshape", [x, shape], [f"states_{layer}"])
    states = m.node("Transpose", [x], ["states"], perm=[1, 0, 2])

    def linear(x, name, y):
        parameters = [
            m.constant(f"{name}.{k}", v)
            for k, v in (("weight", work[f"{name}.weight"]), ("bias", work[f"{name}.bias"].ravel()))
        ]
        return m.node("Gemm", [x, *parameters], [y], transB=1)

    query = m.node("Gather", [m.constant("query_table", work["query.0.weight"]), "index"], ["query_rows"])
    query = linear(query, "query.1", "query")
    one = m.constant("one", np.array([1], np.int64))
    query = m.node("Unsqueeze", [query, one], ["query_row"])  # [batch, 1, 64]
    turned = m.node("Transpose", [states], ["turned"], perm=[0, 2, 1])
    scores = m.node("MatMul", [query, turned], ["scores"])  # [batch, 1, time]
    weights = m.node("Softmax", [scores], ["weights"], axis=2)
    context = m.node("MatMul", [weights, states], ["context_row"])
    linear(m.node("Squeeze", [context, one], ["context"]), "logits", "logits")
    inputs, outputs = {k: work[k] for k in ("tokens", "index")}, {"logits": (batch, 10)}
    return bound(m.session(inputs, outputs), inputs, outputs, {}, "logits")


def identity():
    m, x = model(), {"x": np.ones(1, np.float32)}
    m.node("Identity", ["x"], ["y"])
    return bound(m.session(x, {"y": (1,)}), x, {"y": (1,)}, {}, "y")


def seconds(runner, repetitions, least):
    """Processor seconds of one run: lower quartile, median, upper quartile."""

    def timed(pairs):
        start = time.process_time()
        runner.run(pairs)
        return time.process_time() - start

    pairs = 1
    while timed(pairs) < least:
        pairs *= 2
    return np.quantile([timed(pairs) / (2 * pairs) for _ in range(repetitions)], [0.25, 0.5, 0.75])


def main():
    *files, results, notes = [word for word in sys.argv[1:] if not word.startswith("--")]
    given = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--") and "=" in word)
    repetitions = int(given.get("benchmark_repetitions", 11))
    least = float(given.get("benchmark_min_time", "0.02").rstrip("s"))
    wrong = 0
    with open(results, "a") as table:
        for work in (work for path in files for work in read_works(path)):
            title = f"{work['group']}, {work['name']}"
            if given.get("only", "") not in title:
                continue
            runner = index_lookup(work) if "tokens" in work else recurrent(work)
            expected, tolerance = work["answer"].ravel(), work["tolerance"]
            difference = np.abs(runner.answer(work["runs"]) - expected)
            beyond = (difference - tolerance * np.maximum(1, np.abs(expected))).max()
            if not beyond < 0:
                print(
                    f"{title}: 'ONNX Runtime' disagrees with 'naive reference' by {beyond:g} more than the "
                    f"tolerance of {tolerance:g}",
                    file=sys.stderr,
                )
                wrong = 1
                continue
            low, median, high = seconds(runner, repetitions, least)
            spread = f"({low * 1e6:.3f} .. {high * 1e6:.3f})"
            print(f"{title}\n  {'ONNX Runtime':28} {median * 1e6:12.3f} us  {spread}", flush=True)
            fields = [work["group"], work["name"], "ONNX Runtime", *(f"{v:.6g}" for v in (median, low, high))]
            table.write("\t".join([*fields, f"{work['multiply_adds']:g}", f"{work['bytes_read']:g}"]) + "\n")
    call = seconds(identity(), repetitions, least)[1]
    with open(notes, "w") as file:
        file.write(
            f"ONNX Runtime {ort.__version__} is called from Python with bound inputs and outputs. It runs "
            f"after the others and is not interleaved with them. Its times include the call from Python, "
            f"which takes {call * 1e6:.2f} µs for an Identity of one number\n"
        )
    return wrong


if __name__ == "__main__":
    sys.exit(main())
