// Shared code of the tests of losses: a graph of sequences, and its inputs, whose padding must not be read.
#pragma once

#include "tenon/graph/graph.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/train/gradient_check.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

inline constexpr int rows = 3, bound = 4, width = 2;
using sequences =
    graph<"sequences", input<"x", features<3>, steps<bound>>, node<"y", linear<width>, "x">, output<"y">>;
using single = graph<"single", input<"x", features<3>>, node<"y", linear<width>, "x">, output<"y">>;

inline double noise(int k) { return std::sin(1.7 * k + 0.3); }  // in [-1, 1]
template <class Session>
void feed_sequences(Session& run, const std::vector<int>& lengths) {
  using T = typename Session::T;
  std::vector<T> x, target;
  for (int k = 0; k < rows * bound * 3; ++k) x.push_back(T(2 * noise(k)));
  for (int k = 0; k < rows * bound * width; ++k) target.push_back(T(noise(7 * k + 1)));
  for (int r = 0; r < rows; ++r)  // elements past an end must have no effect
    for (int t = lengths[std::size_t(r)]; t < bound; ++t) {
      for (int j = 0; j < 3; ++j)
        x[std::size_t((r * bound + t) * 3 + j)] = std::numeric_limits<T>::quiet_NaN();
      for (int j = 0; j < width; ++j)
        target[std::size_t((r * bound + t) * width + j)] = std::numeric_limits<T>::quiet_NaN();
    }
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, 3}, {bound * 3, 3, 1}), lengths);
  set_input<"target">(run, view<const T>(target.data(), {rows, bound, width}, {bound * width, width, 1}),
                      lengths);
}
template <class Loss>
void check_gradients_of() {
  for (const std::vector<int>& lengths : {std::vector<int>{4, 0, 2}, {1, 3, 4}}) {
    const reports::gradients report =
        check_gradients<sequences, Loss, rows>([&](auto& run) { feed_sequences(run, lengths); }, seed{4});
    INFO(report);
    CHECK(report);
  }
}

}  // namespace tenon::test
