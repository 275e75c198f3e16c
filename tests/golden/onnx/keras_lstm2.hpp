// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace keras_lstm2_network {
using namespace tenon;
using namespace tenon::nn;


using keras_lstm2 = graph<"keras_lstm2",
    input<"x", features<5>, steps<11>>,
    node<"lstm_292", lstm<13>, "x">,
    node<"lstm_313", lstm<13>, "lstm_292">,
    node<"identity_0", linear<3>, "lstm_313">,
    output<"identity_0">>;

}  // namespace keras_lstm2_network

using keras_lstm2_network::keras_lstm2;
