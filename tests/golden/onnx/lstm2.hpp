// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace lstm2_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using lstm2 = graph<"lstm2",
    input<"x", features<5>, steps<most_steps>>,
    node<"rnn", lstm<13>, "x">,
    node<"rnn_2", lstm<13>, "rnn">,
    node<"answer", linear<3>, "rnn_2">,
    output<"answer">>;

}  // namespace lstm2_network

using lstm2_network::lstm2;
