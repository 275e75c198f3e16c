// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace lstm1_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using lstm1 = graph<"lstm1",
    input<"x", features<5>, steps<most_steps>>,
    node<"rnn", lstm<13>, "x">,
    node<"answer", linear<3>, "rnn">,
    output<"answer">>;

}  // namespace lstm1_network

using lstm1_network::lstm1;
