// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace onnx_lstm_bidirectional_network {
using namespace tenon;
using namespace tenon::nn;


using onnx_lstm_bidirectional = graph<"onnx_lstm_bidirectional",
    input<"X", features<2>, steps<3>>,
    node<"states", lstm<3, bidirectional, no_bias>, "X">,
    output<"states.final">,
    output<"states.c_n">>;

}  // namespace onnx_lstm_bidirectional_network

using onnx_lstm_bidirectional_network::onnx_lstm_bidirectional;
