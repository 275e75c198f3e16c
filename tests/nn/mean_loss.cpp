// User-defined losses: counts of positions, several outputs, no target, and several losses in one objective.
#include "tenon/nn/mean_loss.hpp"

#include "nn/loss_case.hpp"
#include "support/machines.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/pooling.hpp"
#include "tenon/train/optimizers/rule.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

// The largest error of a position, weighted more at late steps; positions without a target above 0 are left out.
struct own_loss {
  static constexpr auto at(auto y, auto target) {
    const auto error = abs(y - target);
    const auto weight = greater(sum(target), 0) * 2;
    return with<"count">(weight * (0.5 * max(error) + error), weight);
  }
};

TEST_CASE("gradients of losses of one's own are differences") {
  check_gradients_of<losses::mean_loss<own_loss, "y">>();
  check_gradients_of<losses::scaled<
      2, losses::sum_of<losses::mse<"y">, losses::scaled<0.25, losses::mean_loss<own_loss, "y">>>>>();
}

TEST_CASE_TEMPLATE("the sum of losses is divided by the sum of what they count", M, oracle, processor) {
  using T = typename M::scalar;
  typename M::template parameters<single> theta(seed{4}), gradients(zeros{});
  typename M::template differentiation<single, losses::mean_loss<own_loss, "y">, batch<rows>> run;
  const std::vector<T> x{1, 2, 3, -1, 0, 2, 3, 1, -2},
      target{1, 2, -3, 1, 2, 2};  // the second row is left out
  set_input<"x">(run, x);
  set_input<"target">(run, target);
  const double got = run.forward(theta);
  const auto y = get<"y">(run);
  double expected = 0;
  for (std::size_t r : {0u, 2u}) {
    const double a = std::abs(double(y(r, 0)) - double(target[2 * r])),
                 b = std::abs(double(y(r, 1)) - double(target[2 * r + 1]));
    expected += 0.5 * (0.5 * std::max(a, b) * 2 + a + b);
  }
  CHECK(got == doctest::Approx(expected / 2).epsilon(1e-6));
  set_input<"target">(run, std::vector<T>{-1, -1, -1, -1, -1, -1});  // all are left out
  CHECK(run.forward(theta) == 0);
  run.backward(theta, gradients);
  for (int k = 0; k < parameters<single>::block_size; ++k) REQUIRE(gradients.data()[k] == 0);
}

// Where the target is 0 the loss is not a number, and the count is 0.
struct logarithmic {
  static constexpr auto at(auto y, auto target) {
    return with<"count">(square(y - target) * log(target) / log(target), greater(target, 0));
  }
};
TEST_CASE_TEMPLATE("a position of count 0 is left out, whatever its loss", M, oracle, processor) {
  using T = typename M::scalar;
  using G = graph<"one", input<"x", features<3>>, node<"y", linear<1>, "x">, output<"y">>;
  const typename M::template parameters<G> theta(seed{4});
  typename M::template differentiation<G, losses::mean_loss<logarithmic, "y">, batch<3>> run;
  set_input<"x">(run, std::vector<T>{1, 2, 3, -1, 0, 2, 3, 1, -2});
  set_input<"target">(run, std::vector<T>{2, 0, 3});
  const double got = run.forward(theta);
  const auto y = get<"y">(run);
  const double first = double(y(0u, 0u)) - 2, last = double(y(2u, 0u)) - 3;
  CHECK(got == doctest::Approx((first * first + last * last) / 2).epsilon(1e-5));
}

// Nix and Weigend 1994: the network also predicts its uncertainty. Both outputs enter each loss; the target is as wide as the first.
struct likelihood {
  static constexpr auto at(auto middle, auto log_variance, auto target) {
    return 0.5 * (log_variance + square(target - middle) * exp(-log_variance));
  }
};
using unsure = graph<"unsure", input<"x", features<3>, steps<bound>>, node<"y", linear<width>, "x">,
                     node<"log_variance", linear<width>, "x">, output<"y">, output<"log_variance">>;
TEST_CASE_TEMPLATE("a loss of two outputs", M, oracle, processor) {
  typename M::template parameters<unsure> theta(seed{4});
  typename M::template differentiation<unsure, losses::mean_loss<likelihood, "y", "log_variance">,
                                       batch<rows + 1>>
      run;
  const std::vector<int> lengths{4, 0, 2};
  feed_sequences(run, lengths);
  const double got = run.forward(theta);
  const auto y = get<"y">(run), v = get<"log_variance">(run);
  double sum = 0;
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < lengths[std::size_t(r)]; ++t)
      for (int j = 0; j < width; ++j) {
        const double error =
            double(typename M::scalar(noise(7 * ((r * bound + t) * width + j) + 1))) - double(y(r, t, j));
        sum += (double(v(r, t, j)) + error * error / std::exp(double(v(r, t, j)))) / 2;
      }
  CHECK(got == doctest::Approx(sum / (6 * width)).epsilon(2e-6));
}
// A row beside a sequence, and a target of another name.
using unsure_of_a_row =
    graph<"unsure_of_a_row", input<"x", features<3>, steps<bound>>, node<"y", linear<width>, "x">,
          node<"log_variance", chain<mean_over<>, linear<width>>, "x">, output<"y">, output<"log_variance">>;
// The loss is a node's value: one sample must be nearer than the other by a margin (Schroff, Kalenichenko and Philbin 2015).
struct nearer {
  static constexpr auto at(auto x) { return relu(1 + square(slice<0, 1>(x)) - square(slice<1, 1>(x))); }
};
using ranking = graph<"ranking", input<"x", features<3>, steps<bound>>, node<"y", linear<width>, "x">,
                      node<"gap", nearer, "y">, output<"y">, output<"gap">>;
template <class Session>
void feed_rows_of(Session& run, const std::vector<int>& lengths) {
  using T = typename Session::T;
  std::vector<T> x(rows * bound * 3, std::numeric_limits<T>::quiet_NaN());
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < lengths[std::size_t(r)] * 3; ++k)
      x[std::size_t(r * bound * 3 + k)] = T(2 * noise(r * bound * 3 + k));
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, 3}), lengths);
}
TEST_CASE("gradients of losses of several outputs, and of none beside a target, are differences") {
  for (const std::vector<int>& lengths : {std::vector<int>{4, 0, 2}, {1, 3, 4}}) {
    const reports::gradients of_two =
        check_gradients<unsure, losses::mean_loss<likelihood, "y", "log_variance">, rows>(
            [&](auto& run) { feed_sequences(run, lengths); }, seed{4});
    const reports::gradients of_a_row =
        check_gradients<unsure_of_a_row, losses::mean_loss<likelihood, "y", "log_variance", "target">, rows>(
            [&](auto& run) { feed_sequences(run, lengths); }, seed{4});
    const reports::gradients of_a_node =
        check_gradients<ranking,
                        losses::sum_of<losses::mean_of<"gap">, losses::scaled<0.5, losses::mse<"y">>>, rows>(
            [&](auto& run) { feed_sequences(run, lengths); }, seed{4});
    INFO(of_two << of_a_row << of_a_node);
    CHECK((of_two && of_a_row && of_a_node));
  }
}
TEST_CASE_TEMPLATE("the mean of what a node has computed", M, oracle, processor) {
  typename M::template parameters<ranking> theta(seed{4});
  typename M::template differentiation<ranking, losses::mean_of<"gap">, batch<rows + 1>> run;
  static_assert(network_of<ranking, losses::mean_of<"gap">>.inputs.size == 1, "there is no target");
  const std::vector<int> lengths{4, 0, 2};
  feed_rows_of(run, lengths);
  const double got = run.forward(theta);
  const auto y = get<"y">(run);
  double sum = 0;
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < lengths[std::size_t(r)]; ++t)
      sum += std::max(0.0, 1 + std::pow(double(y(r, t, 0)), 2) - std::pow(double(y(r, t, 1)), 2));
  CHECK(got == doctest::Approx(sum / 6).epsilon(2e-6));
}

// Two outputs, two targets of other kinds, one of them shared by two losses.
TEST_CASE("several losses with targets of their own train together") {
  using G = graph<"two", input<"x", features<3>>, node<"height", linear<1>, "x">,
                  node<"kind", linear<2>, "x">, output<"height">, output<"kind">>;
  using objective =
      losses::sum_of<losses::mse<"height", "metres">, losses::scaled<0.1, losses::l1<"height", "metres">>,
                     losses::cross_entropy<"kind", "label">>;
  parameters<G> theta(seed{2});
  trainer<G, objective, optimizers::adam, batch<2>> train(theta, {.learning_rate = 0.05});
  float first = 0, last = 0;
  for (int step = 0; step < 300; ++step) {
    set_input<"x">(train, std::vector<float>{1, 0, 1, 0, 1, 1});
    set_input<"metres">(train, std::vector<float>{2, -1});
    set_input<"label">(train, std::vector<int>{1, 0});
    last = train.step();
    if (step == 0) first = last;
  }
  CHECK(first > 1);
  CHECK(last < 0.05);
  CHECK(get<"height">(train)(0, 0) == doctest::Approx(2).epsilon(0.05));
  CHECK(get<"kind">(train)(0, 1) > get<"kind">(train)(0, 0) + 2);
}

}  // namespace tenon::test
