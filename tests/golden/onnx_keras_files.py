"""ONNX files of Keras' exporter (tf2onnx), and recurrent operators of ONNX's own tests: tests/golden/onnx/NAME.onnx and NAME.txt.

    pip install tensorflow-cpu keras==3.15.1 tf2onnx==1.17.0 onnx onnxruntime
    python tests/golden/onnx_keras_files.py
    from_onnx NAME.onnx --to NAME.hpp --name NAME --steps 11      for each, which a test compares

As in onnx_files.py: sizes are different primes, a text file has a line for each input (i) and output (o), and the numbers of the outputs are those
that Keras computes in double, or the ones that ONNX's tests have. The script fails if ONNX Runtime computes something else.
"""
import os

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy
import onnx
import onnxruntime
from keras import layers
from onnx.backend.test.case.node import collect_testcases

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "onnx")
ROWS, STEPS, FEATURES, HIDDEN, CLASSES, WORDS = 7, 11, 5, 13, 3, 23
random = numpy.random.default_rng(20261130)


def write_numbers(name, inputs, outputs):
    with open(os.path.join(FOLDER, name + ".txt"), "w") as text:
        for kind, values in (("i", inputs), ("o", outputs)):
            for value, x in values.items():
                whole = int(x.dtype.kind == "i")
                shape = " ".join(str(n) for n in x.shape)
                numbers = " ".join(repr(n) for n in x.flatten().tolist())
                text.write(f"{kind} {value} {whole} {x.ndim} {shape} {numbers}\n")


def run(path, inputs):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, {i.name: x for i, x in zip(session.get_inputs(), inputs.values())})


def write(name, build, x, known_to_engines=True):
    """Builds the network twice, in float for the file and in double for the numbers."""
    models = []
    for kind in ("float32", "float64"):
        keras.backend.clear_session()
        keras.config.set_floatx(kind)
        source = keras.Input(x.shape[1:], name="x", dtype=str(x.dtype) if x.dtype.kind == "i" else kind)
        models.append(keras.Model(source, build(source), name="net"))
        models[-1](x)
    weights = [random.normal(0, 0.4, w.shape).astype("float32") for w in models[0].weights]
    for model in models:
        model.set_weights(weights)
    keras.config.set_floatx("float32")
    path = os.path.join(FOLDER, name + ".onnx")
    models[0].export(path, format="onnx", verbose=False)
    wide = models[1](x if x.dtype.kind == "i" else x.astype("float64")).numpy()
    if known_to_engines:
        assert numpy.abs(run(path, {"x": x})[0] - wide).max() < 3e-6, name
    write_numbers(name, {"x": x}, {"answer": wide})
    print(name, len(onnx.load(path).graph.node), "nodes", os.path.getsize(path), "bytes")


def recurrent(kind, count, both, sequences=True):
    def build(x):
        for k in range(count):
            layer = getattr(layers, kind)(HIDDEN, return_sequences=sequences or k + 1 < count, name=f"states_{k}")
            x = (layers.Bidirectional(layer, name=f"states_{k}") if both else layer)(x)
        return layers.Dense(CLASSES, name="answer")(x)

    return build


def text_cnn(words):
    x = layers.Embedding(WORDS, FEATURES, name="table")(words)
    found = [layers.GlobalMaxPooling1D(name=f"most_{k}")(
        layers.Conv1D(HIDDEN, k, padding="same", activation="relu", name=f"windows_{k}")(x)) for k in (3, 5)]
    return layers.Dense(CLASSES, activation="softmax", name="answer")(layers.Concatenate(name="found")(found))


def encoder(activation):
    def build(words):
        x = layers.Embedding(WORDS, 10, name="table")(words)
        x = layers.LayerNormalization(name="norm")(x + layers.MultiHeadAttention(2, 5, name="attention")(x, x))
        wide = layers.Dense(17, activation=activation, name="wide")(x)
        x = layers.LayerNormalization(name="last_norm")(x + layers.Dense(10, name="narrow")(wide))
        return layers.Dense(CLASSES, name="answer")(x)

    return build


def own_test(name, case):
    """A test of one operator, with its weights as constants. Its numbers are written row by row."""
    (inputs, outputs), graph = case.data_sets[0], case.model.graph
    constants = [onnx.numpy_helper.from_array(x, i.name) for i, x in zip(graph.input[1:], inputs[1:])]
    model = onnx.helper.make_model(
        onnx.helper.make_graph(graph.node, name, graph.input[:1], graph.output, constants),
        opset_imports=case.model.opset_import, ir_version=case.model.ir_version)
    model.graph.node[0].name = "states"
    path = os.path.join(FOLDER, name + ".onnx")
    onnx.save(model, path)
    for expected, got in zip(outputs, run(path, {"X": inputs[0]})):
        assert numpy.abs(expected - got).max() < 3e-6, name

    def rows_first(x):  # [steps, directions, rows, units], [directions, rows, units]
        x = numpy.moveaxis(x, -2, 0)
        return x.reshape(x.shape[0], *x.shape[1:-2], -1)

    write_numbers(name, {"X": numpy.moveaxis(inputs[0], 1, 0)}, {f"answer_{k}": rows_first(x) for k, x in enumerate(outputs)})
    print(name, "is", case.name)


x = random.normal(0, 1, (ROWS, STEPS, FEATURES)).astype("float32")
words = random.integers(0, WORDS, (ROWS, STEPS)).astype("int32")
for kind, name in (("LSTM", "lstm"), ("GRU", "gru"), ("SimpleRNN", "rnn")):
    for count in (1, 2):
        for both in (False, True):
            write(f"keras_{name}{count}" + ("_both" if both else ""), recurrent(kind, count, both), x)
write("keras_gru_last", recurrent("GRU", 1, True, sequences=False), x)
write("keras_text_cnn", text_cnn, words)
write("keras_encoder", encoder("relu"), words)
write("keras_encoder_gelu", encoder("gelu"), words, known_to_engines=False)  # Erfc, which ONNX does not have
for case in collect_testcases(None):
    if case.name in ("test_gru_seq_length", "test_gru_reverse", "test_gru_bidirectional", "test_lstm_with_initial_bias", "test_lstm_reverse",
                     "test_lstm_bidirectional", "test_rnn_seq_length"):
        own_test(case.name.replace("test_", "onnx_"), case)
