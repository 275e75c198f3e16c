// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace lstm2_both_new_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using lstm2_both_new = graph<"lstm2_both_new",
    input<"x", features<5>, steps<most_steps>>,
    node<"lstm_113", lstm<13, bidirectional>, "x">,
    node<"lstm_221", lstm<13, bidirectional>, "lstm_113">,
    node<"answer", linear<3>, "lstm_221">,
    output<"answer">>;

}  // namespace lstm2_both_new_network

using lstm2_both_new_network::lstm2_both_new;
