// The cells that the architecture search of Jozefowicz, Zaremba and Sutskever 2015 found: MUT1, MUT2 and MUT3. Where x
// enters without a matrix and has another width than the state, a matrix brings it to that width, as in the paper; if
// the widths are equal, there is no such matrix. Parameters: letter and gate, W_z, U_r, b_h.
#pragma once

#include "tenon/equation/trace.hpp"

namespace tenon::inline v0_1 {

namespace detail {
template <ir::text Gate>
constexpr ir::value as_wide_as(ir::value h, ir::value x) {
  return x.size() == h.size() ? x : equations::symbols::W<Gate>(x);
}
}  // namespace detail

namespace nn::cells {

struct mut1 : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = sigmoid(W<"z">(x) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    return next(tanh(U<"h">(r * h) + tanh(detail::as_wide_as<"h">(h, x)) + b<"h">) * z + h * (1 - z));
  }
};

struct mut2 : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = sigmoid(W<"z">(x) + U<"z">(h) + b<"z">);
    auto r = sigmoid(detail::as_wide_as<"r">(h, x) + U<"r">(h) + b<"r">);
    return next(tanh(U<"h">(r * h) + W<"h">(x) + b<"h">) * z + h * (1 - z));
  }
};

struct mut3 : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = sigmoid(W<"z">(x) + U<"z">(tanh(h)) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    return next(tanh(U<"h">(r * h) + W<"h">(x) + b<"h">) * z + h * (1 - z));
  }
};

}  // namespace nn::cells
}  // namespace tenon::inline v0_1
