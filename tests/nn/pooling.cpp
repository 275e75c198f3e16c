// Pooling over time against its definition, with lengths 0, 1 and all, and NaNs past each end. Over windows: the laws; engine/golden_windows
// compares the values with PyTorch.
#include "tenon/nn/pooling.hpp"

#include "support/graphs.hpp"
#include "support/images.hpp"
#include "support/laws.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/graph/graph.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int rows = 4, bound = 5, width = 3;
using pooled =
    graph<"pooled", input<"x", features<width>, steps<bound, "page">>, node<"sum", sum_over<"page">, "x">,
          node<"mean", mean_over<"page">, "x">, node<"max", max_over<"page">, "x">,
          node<"first", first_over<"page">, "x">, node<"last", last_over<"page">, "x">, output<"first">,
          output<"last">, output<"sum">, output<"mean">, output<"max">>;

}  // namespace

TEST_CASE_TEMPLATE("sum, mean and maximum over the steps that a sequence has", M, oracle, processor) {
  using T = typename M::scalar;
  const std::vector<int> lengths{3, 0, 5, 1};
  std::vector<T> x(static_cast<std::size_t>(bound * rows * width), std::numeric_limits<T>::quiet_NaN());
  const auto at = [&](int t, int r, int k) -> T& {
    return x[static_cast<std::size_t>((r * bound + t) * width + k)];
  };
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < lengths[std::size_t(r)]; ++t)
      for (int k = 0; k < width; ++k) at(t, r, k) = T((7 * t + 3 * r + 5 * k) % 11) - T(6);

  inference<pooled, batch<rows>, on<typename M::backend>, scalar_type<T>> run;
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, width}, {bound * width, width, 1}), lengths);
  run.run(typename M::template parameters<pooled>{});
  const auto sums = get<"sum">(run), means = get<"mean">(run), highest = get<"max">(run),
             firsts = get<"first">(run), lasts = get<"last">(run);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < width; ++k) {
      CAPTURE(r);
      CAPTURE(k);
      const int end = lengths[std::size_t(r)];
      double sum = 0, top = end > 0 ? -100 : 0;
      for (int t = 0; t < end; ++t) {
        sum += double(at(t, r, k));
        top = std::max(top, double(at(t, r, k)));
      }
      CHECK(double(sums(std::size_t(r), std::size_t(k))) == doctest::Approx(sum).epsilon(1e-6));
      CHECK(double(means(std::size_t(r), std::size_t(k))) ==
            doctest::Approx(end > 0 ? sum / end : 0).epsilon(1e-6));
      CHECK(double(highest(std::size_t(r), std::size_t(k))) == top);
      CHECK(firsts(std::size_t(r), std::size_t(k)) == (end > 0 ? at(0, r, k) : T(0)));
      CHECK(lasts(std::size_t(r), std::size_t(k)) == (end > 0 ? at(end - 1, r, k) : T(0)));
    }
}

TEST_CASE_TEMPLATE("the mean of the steps that a sequence has, weighted by attention", M, oracle, processor) {
  using T = typename M::scalar;
  using attended = graph<"attended", input<"x", features<width>, steps<bound, "page">>,
                         node<"row", attention_over<2, "page">, "x">, output<"row">, output<"row.weights">>;
  const std::vector<int> lengths{3, 0, 5, 1};
  std::vector<T> x(static_cast<std::size_t>(rows * bound * width), std::numeric_limits<T>::quiet_NaN());
  const auto at = [&](int r, int t, int k) -> T& {
    return x[static_cast<std::size_t>((r * bound + t) * width + k)];
  };
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < lengths[std::size_t(r)]; ++t)
      for (int k = 0; k < width; ++k) at(r, t, k) = T((7 * t + 3 * r + 5 * k) % 11 - 5) / T(4);
  typename M::template parameters<attended> theta(seed{3});
  const auto w = get<"row.W_a">(theta);
  const auto v = get<"row.v">(theta);
  const auto b = get<"row.b_a">(theta);
  b(0) = T(0.25);
  b(1) = T(-0.5);
  inference<attended, batch<rows>, on<typename M::backend>, scalar_type<T>> run;
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, width}), lengths);
  run.run(theta);
  const auto row = get<"row">(run);
  const auto weights = get<"row.weights">(run);
  for (int r = 0; r < rows; ++r) {
    CAPTURE(r);
    double expected[width] = {}, counts[bound] = {}, all = 0;
    for (int t = 0; t < lengths[std::size_t(r)]; ++t) {
      double score = 0;
      for (int n = 0; n < 2; ++n) {
        double sum = double(b(n));
        for (int k = 0; k < width; ++k) sum += double(w(n, k)) * double(at(r, t, k));
        score += double(v(0, n)) * std::tanh(sum);
      }
      all += counts[t] = std::exp(score);
    }
    for (int t = 0; t < lengths[std::size_t(r)]; ++t) {
      CHECK(double(weights(r, t, 0)) == doctest::Approx(counts[t] / all).epsilon(1e-5));
      for (int k = 0; k < width; ++k) expected[k] += counts[t] / all * double(at(r, t, k));
    }
    for (int k = 0; k < width; ++k) CHECK(double(row(r, k)) == doctest::Approx(expected[k]).epsilon(1e-5));
  }
}

// A quarter of the adjoint for each of four steps; the maximum's goes to the largest, half each where two are equal.
TEST_CASE("gradients of pooling go back to the steps that were pooled") {
  using one = graph<"one", input<"x", features<1>, steps<4>>, node<"mean", mean_over<>, "x">,
                    node<"max", max_over<>, "x">, output<"mean">, output<"max">>;
  parameters<one> theta(zeros{}), gradients(zeros{});
  differentiation<one, void, input_gradients> run;
  const std::vector<float> x{1, 5, 5, -2};
  set_input<"x">(run, view<const float>(x.data(), {1, 4, 1}, {4, 1, 1}));
  run.forward(theta);
  output_adjoint<"mean">(run)(0, 0) = 4;
  output_adjoint<"max">(run)(0, 0) = 6;
  run.backward(theta, gradients);
  const auto dx = input_gradient<"x">(run);
  CHECK(dx(0, 0, 0) == 1);
  CHECK(dx(0, 1, 0) == 4);
  CHECK(dx(0, 2, 0) == 4);
  CHECK(dx(0, 3, 0) == 1);
}

TEST_CASE("windows with nothing in them, and nothing but infinity") {
  using G = over_time<max_pool1d<2, dilation<3>, same_padding, stride<1>>, 1, 4>;
  inference<G, batch<2>> run;
  const float below = -std::numeric_limits<float>::infinity();
  const std::vector<float> x{-5, 9, 9, 9, below, -2, below, below};
  set_input<"x">(run, view<const float>(x.data(), {2, 4, 1}, {4, 1, 1}), std::vector<int>{1, 4});
  run.run(parameters<G>());
  const auto y = get<"y">(run);
  CHECK(y(0, 0, 0) == 0);                                           // places -1 and 2 of a row of one
  CHECK((y(1, 0, 0) == 0 && y(1, 2, 0) == -2 && y(1, 3, 0) == 0));  // -1 2, 1 4, 2 5
  CHECK(y(1, 1, 0) == below);                                       // 0 3: both are in the row
}
TEST_CASE("what is no number stays so, with padding and without") {
  using in_padding = over_time<max_pool1d<2, padding<1>>, 1, 4>;
  using in_places = over_time<max_pool1d<2>, 1, 4>;
  inference<in_padding> padded;
  inference<in_places> plain;
  const std::vector<float> x{-1, std::numeric_limits<float>::quiet_NaN(), 3, 4};
  const view<const float> given(x.data(), {1, 4, 1});
  const auto p = padded(parameters<in_padding>(), given);
  const auto y = plain(parameters<in_places>(), given);
  CHECK((p(0, 0, 0) == -1 && std::isnan(p(0, 1, 0)) && p(0, 2, 0) == 4));
  CHECK((std::isnan(y(0, 0, 0)) && y(0, 1, 0) == 4));
}
TEST_CASE("laws of the mean weighted by attention") {
  check_laws<over_time<attention_over<3>, 2, 5>>();
  check_laws<over_grid<attention_over<2>, 3, 2, 3>>();
}
TEST_CASE("laws of pooling over windows") {
  check_laws<over_time<max_pool1d<2>, 3, 5>>();
  check_laws<over_time<max_pool1d<3, stride<1>, padding<1>>, 2, 4>>();
  check_laws<over_grid<max_pool2d<2, 3, stride<2, 1>>, 2, 4, 5>>();
  check_laws<over_grid<avg_pool2d<2, 2, padding<1>>, 3, 4, 5>>();
  check_laws<over_grid<mean_over<>, 3, 2, 3>>();
}

// Each step times its number, counted from the end: an equation that reads its position.
struct countdown {
  static constexpr auto at(auto x) { return x * (length_of<"time">(x) - position_of<"time">(x)); }
};
TEST_CASE_TEMPLATE("an equation knows the number of its step and how many there are", M, oracle, processor) {
  using T = typename M::scalar;
  using G = graph<"countdown", input<"x", features<2>, steps<4>>, node<"y", countdown, "x">, output<"y">>;
  inference<G, batch<3>, on<typename M::backend>, scalar_type<T>> run;
  const std::vector<T> x(2 * 4 * 2, T(1));
  for (const std::vector<int>& lengths : {std::vector<int>{3, 1}, std::vector<int>{2, 4}}) {
    set_input<"x">(run, view<const T>(x.data(), {2, 4, 2}, {8, 2, 1}), lengths);
    run.run(typename M::template parameters<G>{});
    const auto y = get<"y">(run);
    for (std::size_t r = 0; r < 2; ++r)
      for (int t = 0; t < lengths[r]; ++t) CHECK(y(r, std::size_t(t), 1) == T(lengths[r] - t));
  }
}

}  // namespace tenon::test
