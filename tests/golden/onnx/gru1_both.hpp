// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace gru1_both_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using gru1_both = graph<"gru1_both",
    input<"x", features<5>, steps<most_steps>>,
    node<"rnn", gru<13, bidirectional>, "x">,
    node<"answer", linear<3>, "rnn">,
    output<"answer">>;

}  // namespace gru1_both_network

using gru1_both_network::gru1_both;
