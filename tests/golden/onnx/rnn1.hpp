// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace rnn1_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using rnn1 = graph<"rnn1",
    input<"x", features<5>, steps<most_steps>>,
    node<"rnn", rnn<13>, "x">,
    node<"answer", linear<3>, "rnn">,
    output<"answer">>;

}  // namespace rnn1_network

using rnn1_network::rnn1;
