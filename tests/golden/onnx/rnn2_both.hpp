// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace rnn2_both_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using rnn2_both = graph<"rnn2_both",
    input<"x", features<5>, steps<most_steps>>,
    node<"rnn", rnn<13, bidirectional>, "x">,
    node<"rnn_2", rnn<13, bidirectional>, "rnn">,
    node<"answer", linear<3>, "rnn_2">,
    output<"answer">>;

}  // namespace rnn2_both_network

using rnn2_both_network::rnn2_both;
