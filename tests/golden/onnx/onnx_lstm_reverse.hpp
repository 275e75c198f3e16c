// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace onnx_lstm_reverse_network {
using namespace tenon;
using namespace tenon::nn;


struct backward {
  static constexpr auto at(auto x) { return reversed(x, along(x)); }
};

using onnx_lstm_reverse = graph<"onnx_lstm_reverse",
    input<"X", features<2>, steps<3>>,
    node<"states", backward, "X">,
    node<"states_2", lstm<3, no_bias>, "states">,
    output<"states_2.h_n">,
    output<"states_2.c_n">>;

}  // namespace onnx_lstm_reverse_network

using onnx_lstm_reverse_network::onnx_lstm_reverse;
