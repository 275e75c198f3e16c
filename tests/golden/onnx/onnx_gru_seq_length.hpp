// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace onnx_gru_seq_length_network {
using namespace tenon;
using namespace tenon::nn;


using onnx_gru_seq_length = graph<"onnx_gru_seq_length",
    input<"X", features<3>, steps<2>>,
    node<"states", recurrent<cells::gru_cho, hidden<5>>, "X">,
    output<"states.h_n">>;

}  // namespace onnx_gru_seq_length_network

using onnx_gru_seq_length_network::onnx_gru_seq_length;
