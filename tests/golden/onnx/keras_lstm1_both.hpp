// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace keras_lstm1_both_network {
using namespace tenon;
using namespace tenon::nn;


using keras_lstm1_both = graph<"keras_lstm1_both",
    input<"x", features<5>, steps<11>>,
    node<"lstm_167", lstm<13, bidirectional>, "x">,
    node<"identity_0", linear<3>, "lstm_167">,
    output<"identity_0">>;

}  // namespace keras_lstm1_both_network

using keras_lstm1_both_network::keras_lstm1_both;
