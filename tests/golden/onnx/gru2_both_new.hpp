// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace gru2_both_new_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using gru2_both_new = graph<"gru2_both_new",
    input<"x", features<5>, steps<most_steps>>,
    node<"gru_81", gru<13, bidirectional>, "x">,
    node<"gru_164", gru<13, bidirectional>, "gru_81">,
    node<"answer", linear<3>, "gru_164">,
    output<"answer">>;

}  // namespace gru2_both_new_network

using gru2_both_new_network::gru2_both_new;
