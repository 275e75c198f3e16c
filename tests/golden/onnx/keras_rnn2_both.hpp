// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace keras_rnn2_both_network {
using namespace tenon;
using namespace tenon::nn;


using keras_rnn2_both = graph<"keras_rnn2_both",
    input<"x", features<5>, steps<11>>,
    node<"net_1_states_0_1_2", rnn<13, bidirectional>, "x">,
    node<"net_1_states_1_1_2", rnn<13, bidirectional>, "net_1_states_0_1_2">,
    node<"identity_0", linear<3>, "net_1_states_1_1_2">,
    output<"identity_0">>;

}  // namespace keras_rnn2_both_network

using keras_rnn2_both_network::keras_rnn2_both;
