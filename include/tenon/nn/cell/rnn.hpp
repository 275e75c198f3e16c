// The simple recurrent network (Elman 1990, with the sigmoid), and the same with tanh or relu, in PyTorch's
// parameters.
#pragma once

#include "tenon/equation/trace.hpp"

namespace tenon::inline v0_1::nn::cells {

struct rnn_tanh : equations::symbols {
  static constexpr auto storage = torch_storage("");

  static constexpr auto step(auto x, auto h) { return next(tanh(W<>(x) + b_W<> + U<>(h) + b_U<>)); }
};

struct rnn_sigmoid : equations::symbols {
  static constexpr auto storage = torch_storage("");

  static constexpr auto step(auto x, auto h) { return next(sigmoid(W<>(x) + b_W<> + U<>(h) + b_U<>)); }
};

struct rnn_relu : equations::symbols {
  static constexpr auto storage = torch_storage("");

  static constexpr auto step(auto x, auto h) { return next(relu(W<>(x) + b_W<> + U<>(h) + b_U<>)); }
};

}  // namespace tenon::inline v0_1::nn::cells
