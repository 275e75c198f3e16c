// A test's own cell for loops that are one stage.
#pragma once

#include "tenon/equation/language.hpp"

namespace tenon::test {

// Two states that are both multiplied, and both read unit by unit.
struct crossed_cell : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) {
    auto a = tanh(W<"a">(x) + U<"a">(h) + V<"a">(c) + b<"a">);
    auto m = sigmoid(U<"m">(h) + b<"m">);
    return next(a * c - 0.5 * h, m * c + (1 - m) * a);
  }
};

}  // namespace tenon::test
