// Long short-term memory (Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al. 2000), in
// PyTorch's parameters.
#pragma once

#include "tenon/equation/trace.hpp"

namespace tenon::inline v0_1::nn::cells {

struct lstm : equations::symbols {
  static constexpr auto storage = torch_storage("i", "f", "g", "o");

  static constexpr auto step(auto x, auto h, auto c) {
    auto i = sigmoid(W<"i">(x) + b_W<"i"> + U<"i">(h) + b_U<"i">);
    auto f = sigmoid(W<"f">(x) + b_W<"f"> + U<"f">(h) + b_U<"f">);
    auto g = tanh(W<"g">(x) + b_W<"g"> + U<"g">(h) + b_U<"g">);
    auto o = sigmoid(W<"o">(x) + b_W<"o"> + U<"o">(h) + b_U<"o">);
    auto c_next = f * c + i * g;
    return next(o * tanh(c_next), c_next);
  }
};

}  // namespace tenon::inline v0_1::nn::cells
