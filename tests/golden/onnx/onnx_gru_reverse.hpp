// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace onnx_gru_reverse_network {
using namespace tenon;
using namespace tenon::nn;


struct backward {
  static constexpr auto at(auto x) { return reversed(x, along(x)); }
};

using onnx_gru_reverse = graph<"onnx_gru_reverse",
    input<"X", features<2>, steps<3>>,
    node<"states", backward, "X">,
    node<"states_2", recurrent<cells::gru_cho, hidden<5>>, "states">,
    node<"y", backward, "states_2">,
    output<"y">,
    output<"states_2.h_n">>;

}  // namespace onnx_gru_reverse_network

using onnx_gru_reverse_network::onnx_gru_reverse;
