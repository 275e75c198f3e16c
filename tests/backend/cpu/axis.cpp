// Kernels along an axis on the CPU backend against the reference in double, with mixed lengths from 0 to past the last
// step.
#include "support/guarded_rows.hpp"
#include <tenon/backend/cpu/axis.hpp>
#include <tenon/backend/reference/axis.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace tenon::backend;
using tenon::test::distance;
using tenon::test::guarded_rows;
using tenon::test::noise;

namespace {

template <class T>
constexpr double near_enough = 16 * static_cast<double>(std::numeric_limits<T>::epsilon());

template <class T>
void check_softmax(int rows, double size_of_scores) {
  constexpr int steps = 6;
  CAPTURE(rows);
  noise random(static_cast<std::uint64_t>(rows));
  std::vector<int> lengths;
  for (int r = 0; r < rows; ++r) lengths.push_back(r % (steps + 2));  // one of them past the last step
  guarded_rows<T> scores(steps, rows), weights(steps, rows);
  scores.fill([&](int t, int r) {  // elements past an end must have no effect
    return t < lengths[static_cast<std::size_t>(r)] ? size_of_scores * random()
                                                    : tenon::test::spoiler<double>;
  });
  const std::vector<double> scores_ = scores.numbers();
  std::vector<double> weights_(scores_.size());

  axis_softmax<1>(cpu{}, steps, rows, lengths.data(), scores.data(), weights.data());
  axis_softmax<1>(reference{}, steps, rows, lengths.data(), scores_.data(), weights_.data());
  CHECK(distance(weights, weights_) <= near_enough<T>);
  for (int t = 0; t < steps; ++t) CHECK(weights(t, 0) == T(0));  // length 0
  CHECK(weights.intact());
}

// Against the formula in long double, with scores past a sequence's end that are far above all others.
template <class Backend, class T>
void check_softmax_of_padding(double padding) {
  constexpr int steps = 5, rows = 9;
  CAPTURE(padding);
  noise random(7);
  const int lengths[rows]{1, 2, 3, 4, 5, 0, 3, 2, 1};
  guarded_rows<T> scores(steps, rows), weights(steps, rows);
  scores.fill([&](int t, int r) { return t < lengths[r] ? random() : padding; });
  axis_softmax<1>(Backend{}, steps, rows, lengths, scores.data(), weights.data());
  for (int r = 0; r < rows; ++r) {
    long double total = 0;
    for (int t = 0; t < lengths[r]; ++t) total += std::exp(static_cast<long double>(scores(t, r)));
    for (int t = 0; t < steps; ++t) {
      const double expected =
          t < lengths[r] ? double(std::exp(static_cast<long double>(scores(t, r))) / total) : 0;
      CHECK(std::abs(double(weights(t, r)) - expected) <= near_enough<T>);
    }
  }
}

// Columns of which some steps are masked, against the softmax of the other steps only. The scores that are not masked are so small
// that every other constant in place of them would have a weight, or all of it.
template <class Backend, class T>
void check_masked() {
  constexpr int steps = 6, rows = 19;
  constexpr T masked = std::numeric_limits<T>::lowest();
  noise random(3);
  const int lengths[rows]{6, 6, 6, 6, 6, 6, 3, 3, 1, 0, 6, 6, 6, 6, 6, 6, 6, 6, 6};
  const auto is_masked = [](int t, int r) { return r % 5 == 4 || t % (1 + r % 5) == 1; };
  for (const T middle : {T(0), T(-1e15), T(-1e30), std::nextafter(masked, T(0))}) {
    CAPTURE(middle);
    guarded_rows<T> scores(steps, rows), weights(steps, rows);
    scores.fill([&](int, int) { return double(middle) + 3 * random(); });
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < steps; ++t)
        if (is_masked(t, r)) scores(t, r) = masked;
    axis_softmax<1>(Backend{}, steps, rows, lengths, scores.data(), weights.data());
    for (int r = 0; r < rows; ++r) {
      std::vector<long double> seen;
      for (int t = 0; t < lengths[r]; ++t)
        if (!is_masked(t, r)) seen.push_back(scores(t, r));
      const long double top = seen.empty() ? 0 : *std::max_element(seen.begin(), seen.end());
      long double total = 0;
      for (long double x : seen) total += std::exp(x - top);
      for (int t = 0; t < steps; ++t) {
        if (t >= lengths[r] || is_masked(t, r)) CHECK(weights(t, r) == T(0));
        else
          CHECK(std::abs(double(weights(t, r)) - double(std::exp(scores(t, r) - top) / total)) <=
                near_enough<T>);
      }
    }
    CHECK(weights.intact());
  }
}

template <int D, class T>
void check_sum(int steps, int rows, int gap, bool rows_first) {
  CAPTURE(D);
  CAPTURE(steps);
  CAPTURE(rows);
  CAPTURE(rows_first);
  noise random(D);
  guarded_rows<T> weights(steps, rows, rows, random), values(steps * rows, D, D + gap, random);
  guarded_rows<T> out(rows, D, D + gap, random);
  const std::vector<double> weights_ = weights.numbers(), values_ = values.numbers();
  std::vector<double> out_(std::size_t(rows) * D);

  const auto in_order = [&](const auto* data, std::ptrdiff_t stride) {
    using number = std::remove_reference_t<decltype(*data)>;
    return rows_first ? operand<number>{data, steps * stride, stride}
                      : operand<number>{data, stride, rows * stride};
  };
  weighted_sum<D>(cpu{}, steps, rows, weights.data(), in_order(values.data(), values.stride), out.data(),
                  out.stride);
  weighted_sum<D>(reference{}, steps, rows, weights_.data(), in_order(values_.data(), D), out_.data(), D);
  CHECK(distance(out, out_) <= near_enough<T>);
  CHECK(out.intact());
}

// Several scores at each position, and no lengths at all, against one at a time.
template <int N, class T>
void check_softmax_of_several(int rows) {
  constexpr int steps = 5;
  CAPTURE(N);
  CAPTURE(rows);
  noise random(static_cast<std::uint64_t>(N));
  std::vector<int> lengths;
  for (int r = 0; r < rows; ++r) lengths.push_back(r % (steps + 1));
  guarded_rows<T> scores(steps, rows * N, rows * N, random), weights(steps, rows * N), whole(steps, rows * N);
  axis_softmax<N>(cpu{}, steps, rows, lengths.data(), scores.data(), weights.data());
  axis_softmax<N>(cpu{}, steps, rows, nullptr, scores.data(), whole.data());
  for (int c = 0; c < rows * N; ++c)
    for (const bool ends : {true, false}) {
      const int end = ends ? lengths[static_cast<std::size_t>(c / N)] : steps;
      long double total = 0;
      for (int t = 0; t < end; ++t) total += std::exp(static_cast<long double>(scores(t, c)));
      for (int t = 0; t < steps; ++t) {
        const double expected =
            t < end ? double(std::exp(static_cast<long double>(scores(t, c))) / total) : 0;
        CHECK(std::abs(double(ends ? weights(t, c) : whole(t, c)) - expected) <= near_enough<T>);
      }
    }
  CHECK(weights.intact());
}

template <int N, class T>
void check_max(int rows, bool rows_first) {
  constexpr int steps = 6;
  CAPTURE(N);
  CAPTURE(rows);
  noise random(static_cast<std::uint64_t>(N));
  std::vector<int> lengths;
  for (int r = 0; r < rows; ++r) lengths.push_back(r % (steps + 2));  // one of them past the last step
  guarded_rows<T> values(steps * rows, N, N + 3, random), out(rows, N, N + 3, random),
      whole(rows, N, N, random);
  const operand<const T> in = rows_first
                                  ? operand<const T>{values.data(), steps * values.stride, values.stride}
                                  : operand<const T>{values.data(), values.stride, rows * values.stride};
  axis_max<N>(cpu{}, steps, rows, lengths.data(), in, out.data(), out.stride);
  axis_max<N>(cpu{}, steps, rows, nullptr, in, whole.data(), whole.stride);
  std::vector<T> expected(static_cast<std::size_t>(rows) * N);
  axis_max<N>(reference{}, steps, rows, lengths.data(), in, expected.data(), std::ptrdiff_t{N});
  for (int r = 0; r < rows; ++r)
    for (int n = 0; n < N; ++n) {
      const int end = std::min(lengths[static_cast<std::size_t>(r)], steps);
      const auto highest = [&](int until) {
        T top = until > 0 ? in.data[r * in.row + n] : T(0);
        for (int t = 1; t < until; ++t) top = std::max(top, in.data[t * in.step + r * in.row + n]);
        return top;
      };
      CHECK(out(r, n) == highest(end));
      CHECK(whole(r, n) == highest(steps));
      CHECK(expected[static_cast<std::size_t>(r * N + n)] == highest(end));
    }
  CHECK(out.intact());
}

template <int D, class T>
void check_shift(int by, bool rows_first) {
  constexpr int steps = 5, rows = 7;
  CAPTURE(D);
  CAPTURE(by);
  noise random(D);
  std::vector<int> lengths;
  for (int r = 0; r < rows; ++r) lengths.push_back(r % (steps + 2));
  guarded_rows<T> x(steps * rows, D, D + 2, random), y(steps * rows, D, D + 5, random),
      z(steps * rows, D, D, random);
  const auto in_order = [&](auto* data, std::ptrdiff_t stride) {
    using number = std::remove_reference_t<decltype(*data)>;
    return rows_first ? operand<number>{data, steps * stride, stride}
                      : operand<number>{data, stride, rows * stride};
  };
  const T* const from = x.data();
  for (const int* ends : {static_cast<const int*>(lengths.data()), static_cast<const int*>(nullptr)}) {
    shift<D>(cpu{}, by, steps, rows, ends, in_order(from, x.stride), in_order(y.data(), y.stride));
    shift<D>(reference{}, by, steps, rows, ends, in_order(from, x.stride), in_order(z.data(), z.stride));
    for (int t = 0; t < steps; ++t)
      for (int r = 0; r < rows; ++r)
        for (int j = 0; j < D; ++j) {
          const int end = ends == nullptr ? steps : std::min(ends[r], steps);
          const auto row_of = [&](int step) { return rows_first ? r * steps + step : step * rows + r; };
          const T expected = 0 <= t - by && t - by < end ? x(row_of(t - by), j) : T(0);
          CHECK(y(row_of(t), j) == expected);
          CHECK(z(row_of(t), j) == expected);
        }
  }
  CHECK(y.intact());
}

template <int D, class T>
void check_flip(bool rows_first) {
  constexpr int steps = 5, rows = 7;
  CAPTURE(D);
  noise random(D);
  std::vector<int> lengths;
  for (int r = 0; r < rows; ++r) lengths.push_back(r % (steps + 2));
  guarded_rows<T> x(steps * rows, D, D + 2, random), y(steps * rows, D, D + 5, random),
      z(steps * rows, D, D, random);
  const auto in_order = [&](auto* data, std::ptrdiff_t stride) {
    using number = std::remove_reference_t<decltype(*data)>;
    return rows_first ? operand<number>{data, steps * stride, stride}
                      : operand<number>{data, stride, rows * stride};
  };
  const T* const from = x.data();
  for (const int* ends : {static_cast<const int*>(lengths.data()), static_cast<const int*>(nullptr)}) {
    flip<D>(cpu{}, steps, rows, ends, in_order(from, x.stride), in_order(y.data(), y.stride));
    flip<D>(reference{}, steps, rows, ends, in_order(from, x.stride), in_order(z.data(), z.stride));
    for (int r = 0; r < rows; ++r) {
      const auto row_of = [&](int step) { return rows_first ? r * steps + step : step * rows + r; };
      std::vector<int> order;  // of the steps that the row has
      for (int t = 0; t < steps && (ends == nullptr || t < ends[r]); ++t) order.insert(order.begin(), t);
      for (int t = 0; t < steps; ++t)
        for (int j = 0; j < D; ++j) {
          const bool is_there = t < static_cast<int>(order.size());
          const T expected = is_there ? x(row_of(order[static_cast<std::size_t>(t)]), j) : T(0);
          CHECK(y(row_of(t), j) == expected);
          CHECK(z(row_of(t), j) == expected);
        }
    }
  }
  CHECK(y.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("steps from the last to the first", T, float, double) {
  for (const bool rows_first : {false, true}) check_flip<1, T>(rows_first), check_flip<19, T>(rows_first);
}
TEST_CASE_TEMPLATE("steps that are moved", T, float, double) {
  for (int by : {-6, -2, 0, 1, 3, 5})
    for (const bool rows_first : {false, true}) {
      check_shift<1, T>(by, rows_first);
      check_shift<19, T>(by, rows_first);
    }
}

TEST_CASE_TEMPLATE("softmax of several scores at each position", T, float, double) {
  for (int rows : {1, 3, 8}) {
    check_softmax_of_several<1, T>(rows);
    check_softmax_of_several<3, T>(rows);
    check_softmax_of_several<8, T>(rows);
  }
}

TEST_CASE_TEMPLATE("maxima along an axis", T, float, double) {
  for (int rows : {1, 3, 9})
    for (const bool rows_first : {false, true}) {
      check_max<1, T>(rows, rows_first);
      check_max<7, T>(rows, rows_first);
      check_max<16, T>(rows, rows_first);
      check_max<37, T>(rows, rows_first);
    }
}

TEST_CASE_TEMPLATE("softmax over time", T, float, double) {
  for (int rows : {1, 2, 3, 5, 8, 13, 16, 31, 32})
    for (double size : {1.0, 300.0}) check_softmax<T>(rows, size);
}

TEST_CASE_TEMPLATE("the largest score is looked for before each sequence's end, not after it", T, float,
                   double) {
  for (double padding : {30.0, 1e4, 1e30, std::numeric_limits<double>::infinity()}) {
    check_softmax_of_padding<cpu, T>(padding);
    check_softmax_of_padding<reference, T>(padding);
  }
}

TEST_CASE_TEMPLATE("a masked step has no weight, however small the other scores are", T, float, double) {
  check_masked<cpu, T>();
  check_masked<reference, T>();
}
TEST_CASE_TEMPLATE("a score of minus infinity has no weight either, and gives a masked step none" *
                       doctest::skip(__FINITE_MATH_ONLY__),
                   T, float, double) {
  constexpr T infinity = std::numeric_limits<T>::infinity(), masked = std::numeric_limits<T>::lowest();
  const auto weights_of = [&]<class Backend>(Backend, std::vector<T> scores) {
    std::vector<T> weights(scores.size());
    axis_softmax<1>(Backend{}, int(scores.size()), 1, nullptr, scores.data(), weights.data());
    return weights;
  };
  const auto check = [&](auto backend) {
    CHECK(weights_of(backend, {-infinity, masked, -infinity}) == std::vector<T>{0, 0, 0});
    CHECK(weights_of(backend, {-infinity, masked, -7}) == std::vector<T>{0, 0, 1});
    const std::vector<T> unknown = weights_of(backend, {masked, std::numeric_limits<T>::quiet_NaN()});
    CHECK(unknown[1] != unknown[1]);
  };
  check(cpu{});
  check(reference{});
}

TEST_CASE_TEMPLATE("weighted sums over time", T, float, double) {
  for (int steps : {0, 1, 5, 16, 37})
    for (int rows : {1, 3, 8})
      for (int gap : {0, 3})
        for (bool rows_first : {false, true}) {
          check_sum<1, T>(steps, rows, gap, rows_first);
          check_sum<7, T>(steps, rows, gap, rows_first);
          check_sum<16, T>(steps, rows, gap, rows_first);
          check_sum<33, T>(steps, rows, gap, rows_first);
          check_sum<64, T>(steps, rows, gap, rows_first);
        }
}
