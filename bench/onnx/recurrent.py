#!/usr/bin/env python3
"""recurrent.py <works> <results> <notes> [--only=TEXT] [--benchmark_repetitions=N] [--benchmark_min_time=S]

Times ONNX Runtime on the works that bench_recurrent --write=<works> wrote, appends lines to <results> in the
format of the other programs, and writes how it was measured to <notes>. The wheel of ONNX Runtime has no C
header, so it is called from Python: inputs and outputs are bound before, a step's new state is the old one of
the next, and an Identity is timed in the same way to tell what the call costs.
"""

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
            group, name, gates, size, steps, runs, tolerance, adds, read = line.decode().split("\t")
            g, n, t = int(gates), int(size), int(steps)
            shapes = dict(
                weight_ih=(g, n, n),
                weight_hh=(g, n, n),
                bias_ih=(g, n),
                bias_hh=(g, n),
                x=(t, 1, n),
                answer=(t, n),
            )
            arrays = {k: np.fromfile(file, np.float32, int(np.prod(s))).reshape(s) for k, s in shapes.items()}
            yield dict(
                arrays,
                group=group,
                name=name,
                gates=g,
                size=n,
                steps=t,
                runs=int(runs),
                tolerance=float(tolerance),
                adds=adds,
                read=read.strip(),
            )


def session(nodes, inputs, outputs, constants=()):
    def values(shapes):
        return [helper.make_tensor_value_info(k, TensorProto.FLOAT, s) for k, s in shapes.items()]

    graph = helper.make_graph(nodes, "layer", values(inputs), values(outputs), list(constants))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def layer(work):
    """The session, and the names of its states with what they become."""
    lstm, n, t = work["gates"] == 4, work["size"], work["steps"]
    order = [0, 3, 1, 2] if lstm else [1, 0, 2]  # from i, f, g, o to i, o, f, g; from r, z, n to z, r, n
    w, r, b, c = (work[k][order] for k in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    constants = [
        numpy_helper.from_array(np.ascontiguousarray(v, np.float32), k)
        for k, v in dict(
            w=w.reshape(1, -1, n), r=r.reshape(1, -1, n), b=np.concatenate([b.ravel(), c.ravel()])[None]
        ).items()
    ]
    options = dict(hidden_size=n) if lstm else dict(hidden_size=n, linear_before_reset=1)
    states = {"h": "h_n", "c": "c_n"} if lstm else {"h": "h_n"}
    inputs, outputs = {"x": [t, 1, n]}, {"y": [t, 1, 1, n]}
    if t == 1:
        inputs |= {k: [1, 1, n] for k in states}
        outputs = {k: [1, 1, n] for k in states.values()}
        node = helper.make_node(
            "LSTM" if lstm else "GRU", ["x", "w", "r", "b", "", *states], ["", *states.values()], **options
        )
    else:
        states = {}
        node = helper.make_node("LSTM" if lstm else "GRU", ["x", "w", "r", "b"], ["y"], **options)
    return session([node], inputs, outputs, constants), states


class bound:
    """A session whose inputs and outputs are bound; states go to and fro between two places."""

    def __init__(self, of, x, states, y_shape):
        def value(array):
            return ort.OrtValue.ortvalue_from_numpy(array, "cpu")

        self.run_one, self.states, self.runs = of.run_with_iobinding, states, 0
        self.places = {k: [value(np.zeros((1, 1, x.shape[2]), np.float32)) for _ in range(2)] for k in states}
        self.y = value(np.zeros(y_shape, np.float32))
        self.turns = []
        for turn in (0, 1):
            binding = of.io_binding()
            binding.bind_ortvalue_input("x", value(x))
            for k, after in states.items():
                binding.bind_ortvalue_input(k, self.places[k][turn])
                binding.bind_ortvalue_output(after, self.places[k][1 - turn])
            if not states:
                binding.bind_ortvalue_output("y", self.y)
            self.turns.append(binding)

    def run(self, pairs):
        run, (there, back) = self.run_one, self.turns
        for _ in range(pairs):
            run(there)
            run(back)

    def answer(self, runs):
        for k in range(runs):
            self.run_one(self.turns[k % 2])
        return self.places["h"][runs % 2].numpy() if self.states else self.y.numpy()


def seconds(runner, repetitions, least):
    """Processor seconds of one run: lower quartile, median, upper quartile."""
    pairs, spent = 1, 0.0
    while True:
        start = time.process_time()
        runner.run(pairs)
        spent = time.process_time() - start
        if spent >= least:
            break
        pairs *= 2
    found = []
    for _ in range(repetitions):
        start = time.process_time()
        runner.run(pairs)
        found.append((time.process_time() - start) / (2 * pairs))
    return np.quantile(found, [0.25, 0.5, 0.75])


def main():
    works, results, notes = [word for word in sys.argv[1:] if not word.startswith("--")]
    given = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--") and "=" in word)
    repetitions = int(given.get("benchmark_repetitions", 11))
    least = float(given.get("benchmark_min_time", "0.02").rstrip("s"))
    wrong = 0
    with open(results, "a") as table:
        for work in read_works(works):
            title = f"{work['group']}, {work['name']}"
            if given.get("only", "") not in title:
                continue
            of, states = layer(work)
            runner = bound(of, work["x"], states, (work["steps"], 1, 1, work["size"]))
            expected = work["answer"].ravel()
            beyond = np.abs(runner.answer(work["runs"]).ravel() - expected) - work["tolerance"] * np.maximum(
                1, np.abs(expected)
            )
            if not beyond.max() < 0:
                print(
                    f"{title}: 'ONNX Runtime' disagrees with 'naive reference' by {beyond.max():g} more than "
                    f"the tolerance of {work['tolerance']:g}",
                    file=sys.stderr,
                )
                wrong = 1
                continue
            low, median, high = seconds(runner, repetitions, least)
            spread = f"({low * 1e6:.3f} .. {high * 1e6:.3f})"
            print(f"{title}\n  {'ONNX Runtime':28} {median * 1e6:12.3f} us  {spread}", flush=True)
            fields = [
                work["group"],
                work["name"],
                "ONNX Runtime",
                *(f"{v:.6g}" for v in (median, low, high)),
                work["adds"],
                work["read"],
            ]
            table.write("\t".join(fields) + "\n")
    identity = session([helper.make_node("Identity", ["x"], ["y"])], {"x": [1, 1, 1]}, {"y": [1, 1, 1]})
    call = seconds(bound(identity, np.ones((1, 1, 1), np.float32), {}, (1, 1, 1)), repetitions, least)[1]
    with open(notes, "w") as file:
        file.write(
            f"ONNX Runtime {ort.__version__} is called from Python with bound inputs and outputs, after the "
            f"others and not interleaved with them; its times include the call, {call * 1e6:.2f} µs for an "
            f"Identity of one number\n"
        )
    print(f"Identity {call * 1e6:.3f} us")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
