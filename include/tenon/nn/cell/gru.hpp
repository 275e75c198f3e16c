// Gated recurrent units in their two forms.
#pragma once

#include "tenon/equation/trace.hpp"

namespace tenon::inline v0_1::nn::cells {

// The reset gate is applied after the recurrent product, as in cuDNN and PyTorch, with PyTorch's parameters.
struct gru : equations::symbols {
  static constexpr auto storage = torch_storage("r", "z", "n");

  static constexpr auto step(auto x, auto h) {
    auto r = sigmoid(W<"r">(x) + b_W<"r"> + U<"r">(h) + b_U<"r">);
    auto z = sigmoid(W<"z">(x) + b_W<"z"> + U<"z">(h) + b_U<"z">);
    auto n = tanh(W<"n">(x) + b_W<"n"> + r * (U<"n">(h) + b_U<"n">));
    return next((1 - z) * n + z * h);
  }
};

// As printed by Cho et al. 2014: the reset gate is applied to the state, and z weighs the candidate.
struct gru_cho : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = sigmoid(W<"z">(x) + U<"z">(h) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    auto n = tanh(W<"n">(x) + U<"n">(r * h) + b<"n">);
    return next((1 - z) * h + z * n);
  }
};

}  // namespace tenon::inline v0_1::nn::cells
