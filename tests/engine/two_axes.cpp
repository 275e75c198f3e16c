// Equations over two axes against loops over both, with lengths on both: a graph that is only run and one that trains.
#include "support/worse.hpp"
#include "tenon/engine/session/differentiation.hpp"
#include "tenon/engine/session/inference.hpp"
#include "tenon/nn/attention.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int rows = 6, T = 4, S = 5, D = 3;
const std::vector<int> targets{4, 2, 0, 3, 1, 4}, sources{5, 0, 3, 1, 4, 2};

std::vector<float> numbers(int count, double pace) {
  std::vector<float> all;
  for (int k = 0; k < count; ++k) all.push_back(static_cast<float>(std::sin(pace * k)));
  return all;
}
template <class Node>
using meeting = graph<"meeting", input<"q", features<D>, steps<T, "target">>,
                      input<"m", features<D>, steps<S, "source">>, node<"y", Node, "q", "m">, output<"y">>;

// expected(q, m, row, step) is the result of one step; q(t, j) and m(s, j) are the numbers of that row.
template <class Node, class F>
void check(F expected) {
  using G = meeting<Node>;
  const std::vector<float> q = numbers(rows * T * D, 1.0), m = numbers(rows * S * D, 0.7);
  const parameters<G> theta(zeros{});
  inference<G, batch<rows>> run;
  differentiation<G, void, batch<rows>> learn;
  const auto give = [&](auto& session) {
    set_input<"q">(session, view<const float>(q.data(), {rows, T, D}, {T * D, D, 1}), targets);
    set_input<"m">(session, view<const float>(m.data(), {rows, S, D}, {S * D, D, 1}), sources);
  };
  give(run);
  give(learn);
  run.run(theta);
  learn.forward(theta);
  for (int r = 0; r < rows; ++r) {
    const auto query = [&](int t, int j) { return static_cast<double>(q[std::size_t((r * T + t) * D + j)]); };
    const auto memory = [&](int s, int j) {
      return static_cast<double>(m[std::size_t((r * S + s) * D + j)]);
    };
    for (int t = 0; t < T; ++t)
      for (int j = 0; j < D; ++j) {
        const double y = t < targets[std::size_t(r)] ? expected(query, memory, r, t, j) : 0;
        const double bound = 1e-6 * (1 + std::abs(y));
        CHECK(std::abs(static_cast<double>(get<"y">(run)(r, t, j)) - y) < bound);
        CHECK(std::abs(static_cast<double>(get<"y">(learn)(r, t, j)) - y) < bound);
      }
  }
}

TEST_CASE("attention of each step") {
  check<attention<score::dot>>([](auto q, auto m, int r, int t, int j) {
    double total = 0, found = 0;
    for (int s = 0; s < sources[std::size_t(r)]; ++s) {
      double score = 0;
      for (int k = 0; k < D; ++k) score += q(t, k) * m(s, k);
      total += std::exp(score);
      found += std::exp(score) * m(s, j);
    }
    return total > 0 ? found / total : 0;
  });
}
struct reductions {
  static constexpr auto at(auto q, auto m) {
    const auto pair = tanh(q + m);
    return max<"source">(pair) + 10 * mean<"source">(pair) + 100 * last<"source">(pair) +
           sum<"target">(sum<"source">(pair));
  }
};
TEST_CASE("maximum, mean, last, and a sum over both axes") {
  check<reductions>([](auto q, auto m, int r, int t, int j) {
    const int end = sources[std::size_t(r)];
    if (end == 0) return 0.0;
    double largest = -1, mean = 0, all = 0;
    for (int s = 0; s < end; ++s) {
      const double pair = std::tanh(q(t, j) + m(s, j));
      largest = worse(largest, pair);
      mean += pair / end;
      for (int u = 0; u < targets[std::size_t(r)]; ++u) all += std::tanh(q(u, j) + m(s, j));
    }
    return largest + 10 * mean + 100 * std::tanh(q(t, j) + m(end - 1, j)) + all;
  });
}
struct earlier {
  static constexpr auto at(auto q, auto m) {
    const auto pair = shift<1, "source">(q * m) * position_of<"source">(m);
    return sum<"source">(pair) * (1 + position_of<"target">(q)) + length_of<"source">(m);
  }
};
TEST_CASE("steps moved, positions and lengths") {
  check<earlier>([](auto q, auto m, int r, int t, int j) {
    double total = 0;
    for (int s = 1; s < sources[std::size_t(r)]; ++s) total += q(t, j) * m(s - 1, j) * s;
    return total * (1 + t) + sources[std::size_t(r)];
  });
}

// All steps of an axis side by side, zeros past the end of each sequence: of pairs, of the inner axis, of time.
struct all_pairs {
  static constexpr auto at(auto q, auto m) {
    const auto pairs = concat(dot(q, m), sum(m) + 0 * sum(q));
    return with<"of source">(with<"of target">(as_features<"source">(pairs), as_features<"target">(q)),
                             as_features<"source">(m));
  }
};
TEST_CASE("an axis as features") {
  using G = graph<"side by side", input<"q", features<D>, steps<T, "target">>,
                  input<"m", features<D>, steps<S, "source">>, node<"y", all_pairs, "q", "m">, output<"y">,
                  output<"y.of target">, output<"y.of source">>;
  const std::vector<float> q = numbers(rows * T * D, 1.0), m = numbers(rows * S * D, 0.7);
  const auto at = [&](const std::vector<float>& of, int steps, int r, int t, int j) {
    return static_cast<double>(of[std::size_t((r * steps + t) * D + j)]);
  };
  inference<G, batch<rows>> run;
  set_input<"q">(run, view<const float>(q.data(), {rows, T, D}, {T * D, D, 1}), targets);
  set_input<"m">(run, view<const float>(m.data(), {rows, S, D}, {S * D, D, 1}), sources);
  run.run(parameters<G>{});
  const auto pairs = get<"y">(run);
  const auto of_target = get<"y.of target">(run), of_source = get<"y.of source">(run);
  for (int r = 0; r < rows; ++r) {
    const int target_end = targets[std::size_t(r)], source_end = sources[std::size_t(r)];
    for (int t = 0; t < T; ++t)
      for (int s = 0; s < S; ++s) {
        double product = 0, total = 0;
        for (int j = 0; j < D; ++j) {
          product += at(q, T, r, t, j) * at(m, S, r, s, j);
          total += at(m, S, r, s, j);
        }
        const bool is_there = t < target_end && s < source_end;
        CHECK(double(pairs(r, t, 2 * s)) == doctest::Approx(is_there ? product : 0));
        CHECK(double(pairs(r, t, 2 * s + 1)) == doctest::Approx(is_there ? total : 0));
      }
    for (int t = 0; t < T; ++t)
      for (int j = 0; j < D; ++j)
        CHECK(double(of_target(r, t * D + j)) == (t < target_end ? at(q, T, r, t, j) : 0));
    for (int s = 0; s < S; ++s)
      for (int j = 0; j < D; ++j)
        CHECK(double(of_source(r, s * D + j)) == (s < source_end ? at(m, S, r, s, j) : 0));
  }
}

}  // namespace tenon::test
