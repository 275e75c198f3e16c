// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace rnn2_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using rnn2 = graph<"rnn2",
    input<"x", features<5>, steps<most_steps>>,
    node<"rnn", rnn<13>, "x">,
    node<"rnn_2", rnn<13>, "rnn">,
    node<"answer", linear<3>, "rnn_2">,
    output<"answer">>;

}  // namespace rnn2_network

using rnn2_network::rnn2;
