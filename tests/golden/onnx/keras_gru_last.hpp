// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace keras_gru_last_network {
using namespace tenon;
using namespace tenon::nn;


using keras_gru_last = graph<"keras_gru_last",
    input<"x", features<5>, steps<11>>,
    node<"net_1_states_0_1", gru<13, bidirectional>, "x">,
    node<"identity_0", linear<3>, "net_1_states_0_1.final">,
    output<"identity_0">>;

}  // namespace keras_gru_last_network

using keras_gru_last_network::keras_gru_last;
