// A thousand steps of a linear cell against its closed form: forward and backward lose nothing over a long
// sequence. And many rows, whose steps go through a scan in blocks, against each row alone.
#include "support/machines.hpp"
#include "support/sample.hpp"
#include "support/worse.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

// A recurrence whose gates are the identity: h_t = a h_{t-1} + w x_t, the decay a in [-1, 1].
struct linear_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(vector<"a"> * h + matrix<"w">(x)); }
};

constexpr int T = 1000, H = 5, rows = 3;
using G = graph<"long", input<"x", features<1>, steps<T>>, node<"y", recurrent<linear_cell, hidden<H>>, "x">,
                output<"y">, output<"y.h_n">>;
constexpr double decay[H]{1, 0.9990234375, 0.5, -0.984375, 0},
    weight[H]{0.0078125, 1, -2, 0.5, 3};  // exact in float
constexpr int lengths[rows]{T, T - 1, 400};

TEST_CASE_TEMPLATE("outputs, final state and gradients of 1,000 steps", M, oracle, processor) {
  const double tight = sizeof(typename M::scalar) == 8 ? 1e-13 : 2e-5;
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  for (int j = 0; j < H; ++j) {
    get<"y.a_l0">(theta)(j) = static_cast<typename M::scalar>(decay[j]);
    get<"y.w_l0">(theta)(j, 0) = static_cast<typename M::scalar>(weight[j]);
  }
  const sample<G> s({T, T - 1, 400}, 3);
  const auto x = [&](int r, int t) { return s.numbers[0][static_cast<std::size_t>(r * T + t)]; };
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  s.feed(run);
  run.forward(theta);

  double worst = 0, worst_gradient = 0, a_slopes[H]{}, dx[rows][T]{};
  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < H; ++j) {
      double h = 0, slope = 0;  // dh/da
      for (int t = 0; t < lengths[r]; ++t) {
        slope = h + decay[j] * slope;
        h = decay[j] * h + weight[j] * x(r, t);
        worst = worse(worst, std::abs(get<"y">(run)(r, t, j) - h) / (1 + std::abs(h)));
      }
      worst = worse(worst, std::abs(get<"y.h_n">(run)(r, j) - h) / (1 + std::abs(h)));
      a_slopes[j] += slope;
      double reach = weight[j];
      for (int t = lengths[r] - 1; t >= 0; --t, reach *= decay[j]) dx[r][t] += reach;
    }
  CHECK(worst <= tight);

  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < H; ++j) output_adjoint<"y.h_n">(run)(r, j) += 1;
  run.backward(theta, gradients);
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < T; ++t) {
      const double got = input_gradient<"x">(run)(r, t, 0);
      worst_gradient = worse(worst_gradient, std::abs(got - dx[r][t]) / (1 + std::abs(dx[r][t])));
    }
  CHECK(worst_gradient <= tight);
  for (int j = 0; j < H; ++j)
    CHECK(get<"y.a_l0">(gradients)(j) == doctest::Approx(a_slopes[j]).epsilon(tight * 50));
}

// Its state's adjoint is summed over all rows and steps.
struct adding_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(tanh(matrix<"w">(x) + h + vector<"b">)); }
};
constexpr int many = 64, few_steps = 9;
using in_blocks = graph<"in_blocks", input<"t", token<4>, steps<few_steps>>, node<"e", embedding<4, 5>, "t">,
                        node<"h", gru<3, bidirectional>, "e">,
                        node<"y", recurrent<adding_cell, hidden<2>>, "h">, output<"y">>;

template <class Session>
constexpr bool goes_in_blocks =
    engine::memory_of<typename Session::plan>.operations[1].backward_block < few_steps;
static_assert(goes_in_blocks<differentiation<in_blocks, void, batch<many>>>);
static_assert(!goes_in_blocks<differentiation<in_blocks>>);

TEST_CASE_TEMPLATE("many rows in blocks of steps", M, oracle, processor) {
  using number = typename M::scalar;
  typename M::template parameters<in_blocks> theta(seed{5}), together(zeros{}), alone(zeros{});
  const sample<in_blocks> s(
      [] {
        std::vector<int> all_lengths;
        for (int r = 0; r < many; ++r) all_lengths.push_back(r * 7 % (few_steps + 1));
        return all_lengths;
      }(),
      8);
  const auto run = [&](auto& session, const sample<in_blocks>& given, int first, auto& gradients) {
    given.feed(session);
    session.forward(theta);
    auto adjoint = output_adjoint<"y">(session);
    for (int r = 0; r < given.rows; ++r)
      for (int t = 0; t < few_steps; ++t)
        for (int j = 0; j < 2; ++j) adjoint(r, t, j) += static_cast<number>((first + r + 3 * t + j) % 5 - 2);
    session.backward(theta, gradients);
  };
  typename M::template differentiation<in_blocks, void, batch<many>> all;
  typename M::template differentiation<in_blocks, void> one;
  run(all, s, 0, together);
  double worst = 0;
  for (int r = 0; r < many; ++r) {
    run(one, s.row(r), r, alone);
    for (int t = 0; t < few_steps; ++t)
      for (int j = 0; j < 2; ++j)
        worst = worse(worst, std::abs(double(get<"y">(all)(r, t, j)) - double(get<"y">(one)(0, t, j))));
  }
  CHECK(worst <= 1e-6);
  for (int k = 0; k < theta.block_size; ++k)
    worst = worse(worst, std::abs(double(together.data()[k]) - double(alone.data()[k])) /
                             (1 + std::abs(double(alone.data()[k]))));
  CHECK(worst <= (sizeof(number) == 8 ? 1e-12 : 1e-4));
}

}  // namespace tenon::test
