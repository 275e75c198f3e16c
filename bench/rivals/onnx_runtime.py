"""ONNX Runtime: bench_recurrent, the inferences of bench_networks, and the self-attention of bench_sequences. Its wheel has no C header, so it is called
from Python: inputs and outputs are bound before, and a step's new state is the old one of the next. An Identity of one number is
timed in the same way to tell what the call costs.
"""

import time

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper


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

    def session(self, inputs, outputs, change=lambda whole: whole):
        """inputs: name to array; outputs: name to shape; change: of the model."""
        types = {np.dtype("f4"): TensorProto.FLOAT, np.dtype("i4"): TensorProto.INT32}
        given = [helper.make_tensor_value_info(k, types[v.dtype], v.shape) for k, v in inputs.items()]
        found = [helper.make_tensor_value_info(k, TensorProto.FLOAT, v) for k, v in outputs.items()]
        graph = helper.make_graph(self.nodes, "work", given, found, self.constants)
        whole = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)], ir_version=8)
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
        return ort.InferenceSession(change(whole).SerializeToString(), options, providers=["CPUExecutionProvider"])


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

    def run(self, runs):
        call, (there, back) = self.call, self.turns
        for _ in range(runs // 2):
            call(there)
            call(back)
        if runs % 2:
            call(there)

    def answer(self, runs):
        """After so many runs from the start."""
        self.run(runs)
        return self.answers[runs % 2].numpy().ravel()


def recurrent(work, change=lambda whole: whole):
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
    return bound(m.session(inputs, outputs, change), inputs, outputs, states, "h" if states else "y")


def index_lookup(work):
    theta, (batch, steps) = work["theta"], work["tokens"].shape
    m = model()
    shape = m.constant("shape", np.array([steps, batch, 64], np.int64))
    x = m.node("Gather", [m.constant("table", theta["embedded.weight"]), "tokens"], ["rows"])
    x = m.node("Transpose", [x], ["by_time"], perm=[1, 0, 2])
    for layer in (0, 1):

        def both(what):
            arrays = [theta[f"states.{what}_l{layer}{direction}"] for direction in ("", "_reverse")]
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
            for k, v in (("weight", theta[f"{name}.weight"]), ("bias", theta[f"{name}.bias"].ravel()))
        ]
        return m.node("Gemm", [x, *parameters], [y], transB=1)

    query = m.node("Gather", [m.constant("query_table", theta["query.0.weight"]), "index"], ["query_rows"])
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


def self_attention(work):
    """Attention is ONNX Runtime's own operator, which is faster than the products and the softmax of ONNX."""
    theta, (batch, steps, width) = {k.removeprefix("y."): v for k, v in work["theta"].items()}, work["x"].shape
    m = model()
    into = [m.constant("in_weight", theta["in_proj_weight"].T), m.constant("in_bias", theta["in_proj_bias"].ravel())]
    m.node("Attention", ["x", *into], ["found"], num_heads=int(work["heads"][0]), domain="com.microsoft")
    m.node("MatMul", ["found", m.constant("out_weight", theta["out_proj.weight"].T)], ["product"])
    m.node("Add", ["product", m.constant("out_bias", theta["out_proj.bias"].ravel())], ["y"])
    inputs, outputs = {"x": work["x"]}, {"y": (batch, steps, width)}
    return bound(m.session(inputs, outputs), inputs, outputs, {}, "y")


def identity():
    m, x = model(), {"x": np.ones(1, np.float32)}
    m.node("Identity", ["x"], ["y"])
    return bound(m.session(x, {"y": (1,)}), x, {"y": (1,)}, {}, "y")


def make(work):
    """None: this work is not done."""
    if work["group"] == "training step":
        return None
    return index_lookup(work) if "tokens" in work else self_attention(work) if "heads" in work else recurrent(work)


def note():
    runner, times = identity(), []
    for _ in range(11):
        start = time.process_time()
        runner.run(20_000)
        times.append((time.process_time() - start) / 20_000)
    return (
        f"ONNX Runtime {ort.__version__} is called from Python with bound inputs and outputs. Its times include the call from "
        f"Python, which takes {np.median(times) * 1e6:.2f} µs for an Identity of one number"
    )
