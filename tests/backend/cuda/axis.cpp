// Kernels along an axis of steps, in the emulation of blocks and threads, against the reference in double: few and many columns, as many
// steps as a thread keeps and more, rows of different lengths.
#include "tenon/backend/cuda/axis.hpp"

#include "support/guarded_rows.hpp"
#include "tenon/backend/reference/axis.hpp"
#include "tenon/backend/reference/rows.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {

using namespace backend;

template <class T>
double rounding(int terms) {
  return static_cast<double>(std::numeric_limits<T>::epsilon()) * (terms + 16);
}
/// Lengths of rows: 0, 1, .. and more than there are steps.
std::vector<int> mixed_lengths(int rows, int steps) {
  std::vector<int> all;
  for (int r = 0; r < rows; ++r) all.push_back(r * (steps + 3) / rows);
  return all;
}

template <int N, class T>
void check_softmax(int steps, int rows, const int* lengths) {
  noise random(static_cast<std::uint64_t>(N * 100 + steps));
  guarded_rows<T> scores(steps * rows, N, N), weights(steps * rows, N, N);
  scores.fill([&](int n, int) {
    return lengths == nullptr || n / rows < lengths[n % rows] ? 20 * random() : std::nan("");
  });
  const std::vector<double> from = scores.numbers();
  std::vector<double> expected(from.size());
  axis_softmax<N>(cuda{}, steps, rows, lengths, scores.data(), weights.data());
  axis_softmax<N>(reference{}, steps, rows, lengths, from.data(), expected.data());
  CHECK(distance(weights, expected) <= 8 * rounding<T>(steps));
  CHECK(weights.intact());
}
// Every third step is masked, and in every fourth row all of them; the others are so small that no constant would be below them.
template <int N, class T>
void check_masked(int steps, int rows) {
  constexpr T masked = std::numeric_limits<T>::lowest();
  noise random(static_cast<std::uint64_t>(N + steps));
  guarded_rows<T> scores(steps * rows, N, N), weights(steps * rows, N, N);
  const auto is_masked = [&](int n) { return n % rows % 4 == 3 || n / rows % 3 == 0; };
  scores.fill([&](int n, int) { return double(is_masked(n) ? masked : masked / 2 * T(1 + random() / 2)); });
  axis_softmax<N>(cuda{}, steps, rows, nullptr, scores.data(), weights.data());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < N; ++c) {
      double total = 0;
      for (int t = 0; t < steps; ++t) {
        const int n = t * rows + r;
        total += double(weights(n, c));
        if (is_masked(n)) CHECK(weights(n, c) == T(0));
      }
      CHECK(std::abs(total - (r % 4 == 3 ? 0 : 1)) <= rounding<T>(steps));
    }
}
template <int N, class T>
void check_folds(int steps, int rows, const int* lengths) {
  noise random(static_cast<std::uint64_t>(N * 100 + steps));
  guarded_rows<T> in(steps * rows, N, N + 2, random), weights(steps, rows, rows, random), sum(rows, N, N + 1),
      weighted(rows, N, N + 1), largest(rows, N, N + 1);
  const std::ptrdiff_t row = in.stride, step = row * rows;
  axis_sum<N>(cuda{}, steps, rows, in.data(), row, step, sum.data(), sum.stride);
  weighted_sum<N>(cuda{}, steps, rows, weights.data(), operand<const T>{in.data(), row, step},
                  weighted.data(), weighted.stride);
  axis_max<N>(cuda{}, steps, rows, lengths, operand<const T>{in.data(), row, step}, largest.data(),
              largest.stride);

  const std::vector<double> from = in.numbers(), w = weights.numbers();
  const operand<const double> all{from.data(), N, std::ptrdiff_t(N) * rows};
  std::vector<double> expected(std::size_t(rows * N));
  const std::vector<double> ones(w.size(), 1);
  weighted_sum<N>(reference{}, steps, rows, ones.data(), all, expected.data(), N);
  CHECK(distance(sum, expected) <= rounding<T>(steps));
  weighted_sum<N>(reference{}, steps, rows, w.data(), all, expected.data(), N);
  CHECK(distance(weighted, expected) <= rounding<T>(steps));
  axis_max<N>(reference{}, steps, rows, lengths, all, expected.data(), N);
  CHECK(distance(largest, expected) <= rounding<T>(1));
  for (guarded_rows<T>* each : {&in, &weights, &sum, &weighted, &largest}) CHECK(each->intact());
}
template <int N, class T>
void check_along(int steps, int rows) {
  CAPTURE(N);
  CAPTURE(steps);
  CAPTURE(rows);
  const std::vector<int> some = mixed_lengths(rows, steps);
  for (const int* lengths : {static_cast<const int*>(nullptr), some.data()}) {
    check_softmax<N, T>(steps, rows, lengths);
    check_folds<N, T>(steps, rows, lengths);
  }
}

TEST_CASE("few columns: a part of a block, and rests") {
  check_along<1, float>(9, 1);
  check_along<3, float>(33, 5);
  check_along<5, double>(70, 3);
}
TEST_CASE("more steps than a thread keeps") { check_along<2, float>(300, 3); }
TEST_CASE("many columns") {
  static_assert(cuda_detail::has_many_columns(8192) && !cuda_detail::has_many_columns(8191));
  check_along<1643, float>(20, 5);
  check_along<4099, float>(140, 2);
}
TEST_CASE("a masked step has no weight, however small the other scores are") {
  check_masked<2, float>(5, 5);
  check_masked<2, float>(33, 5);
  check_masked<1, double>(300, 4);
  check_masked<2049, float>(40, 4);
}
TEST_CASE("few steps are walked") {
  static_assert(cuda_detail::walks_columns(8, 1) && !cuda_detail::walks_columns(9, 1));
  check_along<3, float>(1, 4);
  check_along<3, double>(8, 4);
}
TEST_CASE("what is no number is seen by a maximum, wherever it stands") {
  constexpr int steps = 40;
  for (int at : {0, 17, 39}) {
    float x[steps]{}, largest = 0;
    x[at] = std::nanf("");
    x[20] = 3;
    axis_max<1>(cuda{}, steps, 1, nullptr, operand<const float>{x, 1, 1}, &largest, 1);
    CHECK(std::isnan(largest));
  }
}
TEST_CASE("equal runs give equal bits") {
  constexpr int steps = 100, rows = 3, N = 7;
  const auto sums = [](int gap) {
    noise random(5);
    guarded_rows<float> in(steps * rows, N, N + gap, random), out(rows, N);
    axis_sum<N>(cuda{}, steps, rows, in.data(), in.stride, std::ptrdiff_t(in.stride) * rows, out.data(), N);
    return out.numbers();
  };
  CHECK(sums(0) == sums(0));
  CHECK(sums(0) == sums(3));
}

}  // namespace tenon::test
