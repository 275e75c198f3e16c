// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace onnx_gru_bidirectional_network {
using namespace tenon;
using namespace tenon::nn;


using onnx_gru_bidirectional = graph<"onnx_gru_bidirectional",
    input<"X", features<2>, steps<3>>,
    node<"y", recurrent<cells::gru_cho, hidden<5>, bidirectional>, "X">,
    output<"y">,
    output<"y.final">>;

}  // namespace onnx_gru_bidirectional_network

using onnx_gru_bidirectional_network::onnx_gru_bidirectional;
