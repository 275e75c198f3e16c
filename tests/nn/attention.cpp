// Attention with scores that are the same for all states: it is the mean over the steps of a sequence, by definition, with
// lengths 0, 1 and all, and NaNs past each end. And the scaled dot product, against a loop. Other scores: engine/laws_attention,
// engine/golden_attention.
#include "tenon/nn/attention.hpp"

#include "support/machines.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/graph/graph.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int rows = 4, bound = 5, queries = 3, width = 2;
const std::vector<int> lengths{3, 0, 5, 1}, asked{3, 2, 0, 3};

struct of_a_number {
  static constexpr auto score(auto, auto) { return 1.0; }
};
struct of_a_whole_number {
  static constexpr auto score(auto, auto) { return -3; }
};
struct of_the_query {
  static constexpr auto score(auto q, auto) { return sum(tanh(q)); }
};
struct of_a_large_query {  // its exponential overflows a float
  static constexpr auto score(auto q, auto) { return 500 + 0 * max(q) + sum(q * q); }
};

template <class T>
std::vector<T> numbers(int steps, const std::vector<int>& ends) {
  std::vector<T> all(std::size_t(rows * steps * width), std::numeric_limits<T>::quiet_NaN());
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < ends[std::size_t(r)] * width; ++k)
      all[std::size_t(r * steps * width + k)] = T((7 * k + 3 * r) % 11) - T(6);
  return all;
}
template <class T>
view<const T> shown(const std::vector<T>& all, int steps) {
  return view<const T>(all.data(), {rows, steps, width}, {steps * width, width, 1});
}

// One query for each row.
template <class M, class Score>
void check_row() {
  using T = typename M::scalar;
  using G = graph<"row", input<"q", features<width>>, input<"s", features<width>, steps<bound>>,
                  node<"y", attention<Score>, "q", "s">, output<"y">, output<"y.weights">>;
  const std::vector<T> s = numbers<T>(bound, lengths), q(std::size_t(rows * width), T(0.5));
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  set_input<"q">(run, view<const T>(q.data(), {rows, width}, {width, 1}));
  set_input<"s">(run, shown(s, bound), lengths);
  run.forward(theta);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < width; ++k) output_adjoint<"y">(run)(r, k) = T(1 + r * width + k);
  run.backward(theta, gradients);
  for (int r = 0; r < rows; ++r) {
    CAPTURE(r);
    const int end = lengths[std::size_t(r)];
    for (int t = 0; t < end; ++t)
      CHECK(double(get<"y.weights">(run)(r, t, 0)) == doctest::Approx(1. / end).epsilon(1e-6));
    for (int k = 0; k < width; ++k) {
      double sum = 0;
      for (int t = 0; t < end; ++t) sum += double(s[std::size_t((r * bound + t) * width + k)]);
      CHECK(double(get<"y">(run)(r, k)) == doctest::Approx(end > 0 ? sum / end : 0).epsilon(1e-6));
      CHECK(std::abs(double(input_gradient<"q">(run)(r, k))) < 1e-4);
      for (int t = 0; t < end; ++t)
        CHECK(double(input_gradient<"s">(run)(r, t, k)) ==
              doctest::Approx((1. + r * width + k) / end).epsilon(1e-6));
    }
  }
}
// A query at each step of another sequence: each result is the mean.
template <class M, class Score>
void check_steps() {
  using T = typename M::scalar;
  using G = graph<"steps", input<"q", features<width>, steps<queries, "target">>,
                  input<"s", features<width>, steps<bound, "source">>, node<"y", attention<Score>, "q", "s">,
                  output<"y">, output<"y.weights">>;
  const std::vector<T> s = numbers<T>(bound, lengths), q = numbers<T>(queries, asked);
  typename M::template inference<G, batch<rows>> run;
  set_input<"q">(run, shown(q, queries), asked);
  set_input<"s">(run, shown(s, bound), lengths);
  run.run(typename M::template parameters<G>(zeros{}));
  for (int r = 0; r < rows; ++r)
    for (int u = 0; u < asked[std::size_t(r)]; ++u) {
      CAPTURE(r);
      CAPTURE(u);
      const int end = lengths[std::size_t(r)];
      for (int t = 0; t < bound; ++t)
        CHECK(double(get<"y.weights">(run)(r, u, t)) ==
              doctest::Approx(t < end ? 1. / end : 0).epsilon(1e-6));
      for (int k = 0; k < width; ++k) {
        double sum = 0;
        for (int t = 0; t < end; ++t) sum += double(s[std::size_t((r * bound + t) * width + k)]);
        CHECK(double(get<"y">(run)(r, u, k)) == doctest::Approx(end > 0 ? sum / end : 0).epsilon(1e-6));
      }
    }
}

// Scores (W q) . (U h) / sqrt(A), by loops in double.
template <class M>
void check_scaled_dot() {
  using T = typename M::scalar;
  constexpr int A = 3;
  using G = graph<"scaled", input<"q", features<width>, steps<queries, "target">>,
                  input<"s", features<width>, steps<bound, "source">>,
                  node<"y", attention<score::scaled_dot<A>>, "q", "s">, output<"y">, output<"y.weights">>;
  const std::vector<T> s = numbers<T>(bound, lengths), q = numbers<T>(queries, asked);
  const typename M::template parameters<G> theta(seed{4});
  const auto W = get<"y.score.W">(theta), U = get<"y.score.U">(theta);
  REQUIRE(W.shape(0) == A);
  REQUIRE(U.shape(0) == A);
  typename M::template inference<G, batch<rows>> run;
  set_input<"q">(run, shown(q, queries), asked);
  set_input<"s">(run, shown(s, bound), lengths);
  run.run(theta);
  for (int r = 0; r < rows; ++r)
    for (int u = 0; u < asked[std::size_t(r)]; ++u) {
      CAPTURE(r);
      CAPTURE(u);
      const auto projected = [&](const auto& matrix, const std::vector<T>& of, int steps, int t, int a) {
        double sum = 0;
        for (int k = 0; k < width; ++k)
          sum += double(matrix(a, k)) * double(of[std::size_t((r * steps + t) * width + k)]);
        return sum;
      };
      double all = 0, found[width]{};
      std::vector<double> weight(bound);
      for (int t = 0; t < lengths[std::size_t(r)]; ++t) {
        double score = 0;
        for (int a = 0; a < A; ++a) score += projected(W, q, queries, u, a) * projected(U, s, bound, t, a);
        all += weight[std::size_t(t)] = std::exp(score / std::sqrt(double(A)));
        for (int k = 0; k < width; ++k)
          found[k] += weight[std::size_t(t)] * double(s[std::size_t((r * bound + t) * width + k)]);
      }
      const double least = all > 0 ? all : 1;
      for (int k = 0; k < width; ++k)
        CHECK(double(get<"y">(run)(r, u, k)) == doctest::Approx(found[k] / least).epsilon(1e-5));
      for (int t = 0; t < bound; ++t)
        CHECK(double(get<"y.weights">(run)(r, u, t)) ==
              doctest::Approx(weight[std::size_t(t)] / least).epsilon(1e-5));
    }
}

}  // namespace

TEST_CASE_TEMPLATE("scaled dot attention", M, oracle, processor) { check_scaled_dot<M>(); }
TEST_CASE_TEMPLATE("a score that is the same for all states finds their mean", M, oracle, processor) {
  check_row<M, of_a_number>();
  check_row<M, of_a_whole_number>();
  check_row<M, of_the_query>();
  check_row<M, of_a_large_query>();
}
TEST_CASE_TEMPLATE("so does each of many queries", M, oracle, processor) {
  check_steps<M, of_a_number>();
  check_steps<M, of_the_query>();
}

}  // namespace tenon::test
