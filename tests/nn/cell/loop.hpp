// A cell as a plain loop in double, with the formulas of its paper: the oracle of the cells' tests.
#pragma once

#include "support/graphs.hpp"
#include "support/machines.hpp"
#include "support/sample.hpp"
#include "support/worse.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tenon::test {

using row = std::vector<double>;

// The parameters of a layer called y, forward, layer 0: by their stored names without "y." and "_l0".
struct loop_parameters {
  struct matrix {
    std::size_t rows = 0, columns = 0;
    row numbers;
  };
  std::map<std::string, matrix> by_name;

  template <class Parameters>
  explicit loop_parameters(const Parameters& theta) {
    theta.for_each([&](std::string_view path, auto v) {
      const std::string called(path.substr(2, path.size() - 5));
      by_name[called] = {v.shape(0), v.dimension() > 1 ? v.shape(1) : 1, row(v.data(), v.data() + v.size())};
    });
  }
  // Gate number `gate` of a stack of gates of H rows, times x.
  row times(const std::string& called, const row& x, std::size_t H, std::size_t gate = 0) const {
    const matrix& m = by_name.at(called);
    REQUIRE(m.columns == x.size());
    row y(H);
    for (std::size_t i = 0; i < H; ++i)
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += m.numbers[(gate * H + i) * m.columns + j] * x[j];
    return y;
  }
  double entry(const std::string& called, std::size_t i) const { return by_name.at(called).numbers[i]; }
};

// [rows, steps, features] of numbers in this order.
template <class T>
view<const T> as_sequences(const std::vector<T>& x, int rows, int steps, int features) {
  return {x.data(), {rows, steps, features}, {steps * features, features, 1}};
}
inline double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// The states after each step, the first of which is the output: step(parameters, x, states) returns the next ones.
using loop_step =
    std::function<std::vector<row>(const loop_parameters&, const row&, const std::vector<row>&)>;

// The cell against its loop, over four steps of three rows, in double on the reference and in float on the CPU.
template <class M, class Layer, int In, int H>
void check_against_loop(const loop_step& step) {
  constexpr int T = 4, rows = 3;
  using G = over_time<Layer, In, T>;
  typename M::template parameters<G> theta(seed{3});
  random_numbers random(7);
  for (int k = 0; k < theta.block_size; ++k)
    theta.data()[k] = static_cast<typename M::scalar>(0.6 * random());
  std::vector<typename M::scalar> x(static_cast<std::size_t>(rows * T * In));
  for (auto& v : x) v = static_cast<typename M::scalar>(random());
  typename M::template inference<G, batch<rows>> run(theta);
  set_input<"x">(run, as_sequences(x, rows, T, In));
  run.run();
  const loop_parameters parameters(std::as_const(theta));
  double worst = 0;
  for (int r = 0; r < rows; ++r) {
    std::vector<row> states(Layer::states, row(H));
    for (int t = 0; t < T; ++t) {
      const auto from = x.begin() + (r * T + t) * In;
      states = step(parameters, row(from, from + In), states);
      for (int j = 0; j < H; ++j)
        worst = worse(worst, std::abs(states[0][static_cast<std::size_t>(j)] - get<"y">(run)(r, t, j)));
    }
  }
  CHECK(worst < (std::is_same_v<typename M::scalar, double> ? 1e-12 : 1e-6));
}

}  // namespace tenon::test
