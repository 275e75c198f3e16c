// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace mixed_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

struct add_equation : equations::symbols {
  static constexpr auto at(auto x, auto y) { return (x * tanh(y)) + ((1 - x) * vector<"v0">); }
};

struct norm_norm : equations::symbols {
  static constexpr auto at(auto x) { return normalize(x, 0.001) * vector<"weight"> + vector<"bias">; }
};

struct mul_2_equation {
  static constexpr auto at(auto x) { return x * 0.5; }
};

using mixed = graph<"mixed",
    input<"x", features<5>, steps<most_steps>>,
    node<"gate", linear<13>, "x">,
    node<"value", linear<13, no_bias>, "x">,
    node<"sigmoid", activation::sigmoid, "gate">,
    node<"add", add_equation, "sigmoid", "value">,
    node<"norm", norm_norm, "add">,
    node<"answer", mul_2_equation, "norm">,
    output<"answer">>;

}  // namespace mixed_network

using mixed_network::mixed;
