// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace onnx_lstm_with_initial_bias_network {
using namespace tenon;
using namespace tenon::nn;


using onnx_lstm_with_initial_bias = graph<"onnx_lstm_with_initial_bias",
    input<"X", features<3>, steps<1>>,
    node<"states", lstm<4>, "X">,
    output<"states.h_n">>;

}  // namespace onnx_lstm_with_initial_bias_network

using onnx_lstm_with_initial_bias_network::onnx_lstm_with_initial_bias;
