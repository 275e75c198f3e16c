// Kernels along an axis inside Thrust, against their formulas: every row up to its length, for any values past its end and any old results.
#include "support/guarded_rows.hpp"
#include <tenon/backend/thrust/axis.hpp>
#include <tenon/backend/thrust/loss.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace tenon::backend;
using tenon::test::guarded_rows;
using tenon::test::noise;

namespace {

constexpr int steps = 4, batch = 6, N = 3;
constexpr int lengths[batch]{4, 0, 2, 1, 3, 9};  // one of them past the last step
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr int end_of_row(int r, bool ends) { return ends ? std::min(lengths[r], steps) : steps; }

/// [steps, batch, N], with a given number past the ends.
struct sequences : guarded_rows<double> {
  sequences(bool ends, std::uint64_t seed, double behind) : guarded_rows(steps, batch * N) {
    noise random(seed);
    fill([&](int t, int c) { return t < end_of_row(c / N, ends) ? random() : behind; });
  }
  operand<const double> operand_of() const { return {data(), N, batch * N}; }
};

}  // namespace

TEST_CASE("a softmax, and its weights behind a row's end are 0") {
  for (bool ends : {false, true}) {
    const sequences x(ends, 1, not_a_number);
    guarded_rows<double> weights(steps, batch * N);
    weights.fill([](int, int) { return 7; });
    axis_softmax<N>(thrust_device{}, steps, batch, ends ? lengths : nullptr, x.data(), weights.data());
    for (int c = 0; c < batch * N; ++c) {
      const int end = end_of_row(c / N, ends);
      double total = 0;
      for (int t = 0; t < end; ++t) total += std::exp(x(t, c));
      for (int t = 0; t < steps; ++t)
        CHECK(weights(t, c) == doctest::Approx(t < end ? std::exp(x(t, c)) / total : 0).epsilon(1e-14));
    }
    CHECK(weights.intact());
  }
}
TEST_CASE("a masked step has no weight, however small the other scores are") {
  constexpr double masked = std::numeric_limits<double>::lowest(),
                   infinity = std::numeric_limits<double>::infinity();
  const double scores[4][3]{{masked, masked, -infinity},
                            {-1e200, masked, masked},
                            {masked, masked, -infinity},
                            {-2e200, masked, masked}};
  const double expected[4][3]{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  double weights[4][3];
  axis_softmax<3>(thrust_device{}, 4, 1, nullptr, scores[0], weights[0]);
  for (int t = 0; t < 4; ++t)
    for (int c = 0; c < 3; ++c) CHECK(weights[t][c] == expected[t][c]);
}
TEST_CASE("a maximum; of nothing it is 0") {
  for (bool ends : {false, true}) {
    const sequences x(ends, 2, 1e30);
    guarded_rows<double> y(batch, N);
    axis_max<N>(thrust_device{}, steps, batch, ends ? lengths : nullptr, x.operand_of(), y.data(), N);
    for (int c = 0; c < batch * N; ++c) {
      std::vector<double> all;
      for (int t = 0; t < end_of_row(c / N, ends); ++t) all.push_back(x(t, c));
      CHECK(y(c / N, c % N) == (all.empty() ? 0 : *std::max_element(all.begin(), all.end())));
    }
  }
}
TEST_CASE("steps moved, zeros where there was none") {
  for (bool ends : {false, true})
    for (int by : {-5, -1, 0, 1, 2}) {
      CAPTURE(by);
      const sequences x(ends, 3, not_a_number);
      guarded_rows<double> y(steps, batch * N);
      shift<N>(thrust_device{}, by, steps, batch, ends ? lengths : nullptr, x.operand_of(),
               operand<double>{y.data(), N, batch * N});
      for (int t = 0; t < steps; ++t)
        for (int c = 0; c < batch * N; ++c) {
          const bool was = t - by >= 0 && t - by < end_of_row(c / N, ends);
          CHECK(y(t, c) == (was ? x(was ? t - by : 0, c) : 0));
        }
    }
}
TEST_CASE("steps from the last to the first, zeros behind them") {
  for (bool ends : {false, true}) {
    const sequences x(ends, 5, not_a_number);
    guarded_rows<double> y(steps, batch * N);
    flip<N>(thrust_device{}, steps, batch, ends ? lengths : nullptr, x.operand_of(),
            operand<double>{y.data(), N, batch * N});
    for (int c = 0; c < batch * N; ++c) {
      const int end = end_of_row(c / N, ends);
      for (int t = 0; t < steps; ++t) CHECK(y(t, c) == (t < end ? x(t < end ? end - 1 - t : 0, c) : 0));
    }
  }
}
TEST_CASE("rows without a target are no part of a cross-entropy") {
  noise random(4);
  guarded_rows<double> logits(batch, N, N + 2, random), gradient(batch, N);
  const int targets[batch]{2, -1, 0, 1, -1, 2};
  positions_sum own;
  run_numbers run{.loss = 1, .positions = 10};
  double mean = 0;
  mean_cross_entropy<N>(thrust_device{}, batch, logits.data(), logits.stride, targets, 2.0, gradient.data(),
                        loss_numbers<double>{&own, &run, &mean});  // 4 of them have a target
  double expected = 0;
  for (int r = 0; r < batch; ++r) {
    double total = 0;
    for (int c = 0; c < N; ++c) total += std::exp(logits(r, c));
    if (targets[r] >= 0) expected -= std::log(std::exp(logits(r, targets[r])) / total);
    for (int c = 0; c < N; ++c) {
      const double slope = std::exp(logits(r, c)) / total - (c == targets[r]);
      CHECK(gradient(r, c) == doctest::Approx(targets[r] < 0 ? 0 : 0.5 * slope).epsilon(1e-13));
    }
  }
  CHECK(mean == doctest::Approx(0.5 * expected).epsilon(1e-13));
  CHECK(own.sum == doctest::Approx(2 * expected).epsilon(1e-13));
  CHECK(own.count == 4);
  CHECK(run.loss == 1 + mean);
  CHECK(run.positions == 14);
}
