// The LSTM whose gates see the cell state, each unit only its own (Gers and Schmidhuber 2000). The input and forget
// gates see the state of the step before, the output gate the new one. Parameters: those of PyTorch's LSTM, and the
// peepholes p_i, p_f, p_o [hidden].
#pragma once

#include "tenon/equation/trace.hpp"

namespace tenon::inline v0_1::nn::cells {

struct peephole_lstm : equations::symbols {
  static constexpr auto storage = torch_storage("i", "f", "g", "o");

  static constexpr auto step(auto x, auto h, auto c) {
    auto i = sigmoid(W<"i">(x) + b_W<"i"> + U<"i">(h) + b_U<"i"> + vector<"p_i"> * c);
    auto f = sigmoid(W<"f">(x) + b_W<"f"> + U<"f">(h) + b_U<"f"> + vector<"p_f"> * c);
    auto g = tanh(W<"g">(x) + b_W<"g"> + U<"g">(h) + b_U<"g">);
    auto c_next = f * c + i * g;
    auto o = sigmoid(W<"o">(x) + b_W<"o"> + U<"o">(h) + b_U<"o"> + vector<"p_o"> * c_next);
    return next(o * tanh(c_next), c_next);
  }
};

}  // namespace tenon::inline v0_1::nn::cells
