"""ONNX Runtime with weights of 8 bits: its dynamic quantisation, of LSTM layers that run one step."""

import logging
import tempfile

import onnx
from onnx_runtime import note, recurrent  # noqa: F401
from onnxruntime.quantization import QuantType, quantize_dynamic

logging.getLogger().setLevel(logging.ERROR)  # it asks for a step that shapes need which are not known

# Without VNNI its products add pairs of 8 bits in 16, which overflow: there its manual wants weights of 7 bits.
with open("/proc/cpuinfo") as processor:
    has_vnni = "vnni" in processor.read()


def quantised(whole):
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(whole, f"{folder}/float.onnx")
        quantize_dynamic(f"{folder}/float.onnx", f"{folder}/int8.onnx", op_types_to_quantize=["LSTM"], per_channel=True,
                         weight_type=QuantType.QInt8, reduce_range=not has_vnni)
        return onnx.load(f"{folder}/int8.onnx")


def make(work):
    """None: this work is not done."""
    return recurrent(work, quantised) if work["name"] in ("256", "512") and work["group"] == "LSTM, one step" else None
