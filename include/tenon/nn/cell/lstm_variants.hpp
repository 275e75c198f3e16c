// Long short-term memory with one gate removed (LSTM-f, -i, -o), and with a forget gate that is open at
// the start (LSTM-b), as Jozefowicz, Zaremba and Sutskever 2015 compare them. The remaining parameters
// have PyTorch's names and order.
#pragma once

#include "tenon/graph/initializer.hpp"
#include "tenon/nn/cell/lstm.hpp"

namespace tenon::inline v0_1::nn::cells {

// LSTM-f, without the forget gate: c' = c + i g, as Hochreiter and Schmidhuber 1997 print it.
struct lstm_f : equations::symbols {
  static constexpr auto storage = torch_storage("i", "g", "o");

  static constexpr auto step(auto x, auto h, auto c) {
    auto i = sigmoid(W<"i">(x) + b_W<"i"> + U<"i">(h) + b_U<"i">);
    auto g = tanh(W<"g">(x) + b_W<"g"> + U<"g">(h) + b_U<"g">);
    auto o = sigmoid(W<"o">(x) + b_W<"o"> + U<"o">(h) + b_U<"o">);
    auto c_next = c + i * g;
    return next(o * tanh(c_next), c_next);
  }
};

// LSTM-i, without the input gate: c' = f c + g.
struct lstm_i : equations::symbols {
  static constexpr auto storage = torch_storage("f", "g", "o");

  static constexpr auto step(auto x, auto h, auto c) {
    auto f = sigmoid(W<"f">(x) + b_W<"f"> + U<"f">(h) + b_U<"f">);
    auto g = tanh(W<"g">(x) + b_W<"g"> + U<"g">(h) + b_U<"g">);
    auto o = sigmoid(W<"o">(x) + b_W<"o"> + U<"o">(h) + b_U<"o">);
    auto c_next = f * c + g;
    return next(o * tanh(c_next), c_next);
  }
};

// LSTM-o, without the output gate: h' = tanh(c').
struct lstm_o : equations::symbols {
  static constexpr auto storage = torch_storage("i", "f", "g");

  static constexpr auto step(auto x, auto h, auto c) {
    auto i = sigmoid(W<"i">(x) + b_W<"i"> + U<"i">(h) + b_U<"i">);
    auto f = sigmoid(W<"f">(x) + b_W<"f"> + U<"f">(h) + b_U<"f">);
    auto g = tanh(W<"g">(x) + b_W<"g"> + U<"g">(h) + b_U<"g">);
    auto c_next = f * c + i * g;
    return next(tanh(c_next), c_next);
  }
};

// LSTM-b: the LSTM with a forget gate whose bias starts at 1 (Gers et al. 2000), as in lstm<H, forget_bias<1>>. One of
// the gate's two biases starts at 1, the other at 0; the parameters are those of the LSTM.
struct lstm_b : lstm {
  static constexpr init::start starts[]{{"b_W", "f", init::constant(1)}, {"b_U", "f", init::constant(0)}};
};

}  // namespace tenon::inline v0_1::nn::cells
