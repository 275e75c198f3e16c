// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace lstm1_both_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using lstm1_both = graph<"lstm1_both",
    input<"x", features<5>, steps<most_steps>>,
    node<"rnn", lstm<13, bidirectional>, "x">,
    node<"answer", linear<3>, "rnn">,
    output<"answer">>;

}  // namespace lstm1_both_network

using lstm1_both_network::lstm1_both;
