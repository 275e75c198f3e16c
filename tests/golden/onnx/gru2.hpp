// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace gru2_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using gru2 = graph<"gru2",
    input<"x", features<5>, steps<most_steps>>,
    node<"rnn", gru<13>, "x">,
    node<"rnn_2", gru<13>, "rnn">,
    node<"answer", linear<3>, "rnn_2">,
    output<"answer">>;

}  // namespace gru2_network

using gru2_network::gru2;
