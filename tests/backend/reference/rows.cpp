// Kernels on whole rows, against other definitions: a look-up is a product with rows of ones and zeros, its gradient the transposed
// product; the rows that a stream keeps are the end of a list that only grows.
#include <tenon/backend/reference/rows.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {

using backend::reference;

constexpr int D = 3, words = 5, rows = 8, stride = D + 2;
constexpr int tokens[rows]{2, 0, -1, 4, 2, 2, 3, 0};
constexpr double unset = -77;

std::vector<double> some(int count, double phase) {
  std::vector<double> all;
  for (int k = 0; k < count; ++k) all.push_back(std::sin(phase + 5 * k));
  return all;
}
double one_at(int row, int word) { return tokens[row] == word ? 1 : 0; }

TEST_CASE("a look-up is a product with ones and zeros") {
  const std::vector<double> table = some(words * D, 1);
  std::vector<double> out(rows * stride, unset);
  backend::gather<D>(reference{}, rows, tokens, table.data(), out.data(), stride);
  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < stride; ++j) {
      double expected = 0;
      for (int w = 0; w < words && j < D; ++w) expected += one_at(r, w) * table[std::size_t(w * D + j)];
      CHECK(out[std::size_t(r * stride + j)] == (j < D ? expected : unset));
    }
}

TEST_CASE("its gradient is the transposed product, without the row that is skipped") {
  const std::vector<double> g = some(rows * stride, 2), before = some(words * D, 3);
  for (int skipped = -1; skipped < words; ++skipped)
    for (const bool by_frequency : {false, true}) {
      std::vector<double> table = before;
      if (by_frequency)
        backend::scatter_add_by_frequency<D>(reference{}, rows, tokens, rows, tokens, g.data(), stride,
                                             skipped, table.data());
      else backend::scatter_add<D>(reference{}, rows, tokens, g.data(), stride, skipped, table.data());
      for (int w = 0; w < words; ++w)
        for (int j = 0; j < D; ++j) {
          double sum = 0, count = 0;
          for (int r = 0; r < rows; ++r) {
            sum += one_at(r, w) * g[std::size_t(r * stride + j)];
            count += one_at(r, w);
          }
          if (w == skipped) sum = 0;
          const double was = before[std::size_t(w * D + j)], is = table[std::size_t(w * D + j)];
          CHECK(std::abs(is - (was + (by_frequency && count > 0 ? sum / count : sum))) < 1e-14);
        }
    }
}
TEST_CASE("how often a token is there is counted over more rows than those that are added") {
  const int all[]{1, 1, -1, 0, 1};
  const double g[]{1, 2, 3};
  double table[2 * D]{};
  backend::scatter_add_by_frequency<D>(reference{}, 1, all, 5, all, g, D, -1, table);
  for (int j = 0; j < D; ++j) CHECK(table[D + j] == doctest::Approx(g[j] / 3));
}

TEST_CASE("rows that have ended, and rows that go on") {
  constexpr int ends[]{2, 0, 4, 1, 3, 4, 2, 0};
  const std::vector<double> from = some(rows * stride, 4), before = some(rows * stride, 5);
  for (int t = 0; t < 5; ++t) {
    std::vector<double> going = before, ended = before, cleared = before, both = before;
    backend::copy_rows_where<D>(reference{}, true, t, rows, ends, from.data(), stride, going.data(), stride);
    backend::copy_rows_where<D>(reference{}, false, t, rows, ends, from.data(), stride, ended.data(), stride);
    backend::clear_ended_rows<D>(reference{}, t, rows, ends, cleared.data(), stride);
    backend::accumulate_rows<D>(reference{}, rows, from.data(), stride, both.data(), stride);
    int outer[rows], inner[rows];
    for (int r = 0; r < rows; ++r) {
      outer[r] = ends[r];
      inner[r] = 10 + r;
    }
    int at[rows];
    backend::lengths_at(reference{}, t, rows, outer, inner, at);
    for (int r = 0; r < rows; ++r) {
      // A row of length n has steps 0 to n - 1.
      std::vector<int> its_steps;
      for (int n = 0; n < ends[r]; ++n) its_steps.push_back(n);
      const bool goes_on = std::count(its_steps.begin(), its_steps.end(), t) == 1;
      CHECK(at[r] == (goes_on ? 10 + r : 0));
      for (int j = 0; j < stride; ++j) {
        const auto k = std::size_t(r * stride + j);
        CHECK(going[k] == (goes_on && j < D ? from[k] : before[k]));
        CHECK(ended[k] == (!goes_on && j < D ? from[k] : before[k]));
        CHECK(cleared[k] == (!goes_on && j < D ? 0 : before[k]));
        CHECK(both[k] == (j < D ? before[k] + from[k] : before[k]));
      }
    }
  }
}

TEST_CASE("what is past the end of a row is cleared") {
  constexpr int steps = 4, ends[]{2, 0, 4};
  for (int first : {0, 1, 4}) {
    std::vector<double> y = some(steps * 3 * stride, 6);
    const std::vector<double> before = y;
    backend::clear_past_end<D>(reference{}, first, steps, 3, ends,
                               backend::operand<double>{y.data(), stride, 3 * stride});
    std::size_t k = 0;
    for (int t = 0; t < steps; ++t)
      for (int r = 0; r < 3; ++r)
        for (int j = 0; j < stride; ++j, ++k) CHECK(y[k] == (first + t >= ends[r] && j < D ? 0 : before[k]));
  }
}

// Three streams that keep `room` rows each, in blocks of up to three steps: one that ends within a block, one that is sometimes
// skipped. The list of each stream's rows is the oracle.
TEST_CASE("rows that are kept are found as far back as there is room") {
  constexpr int streams = 3, most = 3, back_most = 3, room = back_most + most;
  std::vector<std::vector<std::vector<double>>> lists(streams);
  std::vector<double> kept(room * streams * D, unset);
  for (int n = 0; n < 11; ++n) {
    const int steps = 1 + n % most, counts[]{steps, n % 3 == 1 ? 0 : steps, (steps + 1) / 2};
    const std::vector<double> from = some(steps * streams * stride, 7 + n);
    std::vector<int> earlier(std::size_t(steps * streams), -1);
    for (int r = 0; r < streams; ++r)
      for (int t = 0; t < counts[r]; ++t) {
        auto& list = lists[std::size_t(r)];
        earlier[std::size_t(t * streams + r)] = int(list.size());
        const auto row = from.begin() + (t * streams + r) * stride;
        list.emplace_back(row, row + D);
      }
    backend::keep_rows<D>(reference{}, steps, streams, room, earlier.data(),
                          backend::operand<const double>{from.data(), stride, streams * stride}, kept.data());
    for (int back = 0; back <= back_most; ++back) {
      std::vector<double> to(std::size_t(steps * streams * stride), unset);
      backend::earlier_rows<D>(reference{}, steps, streams, room, earlier.data(), back, 9.0, kept.data(),
                               backend::operand<double>{to.data(), stride, streams * stride});
      for (int k = 0; k < steps * streams; ++k) {
        const auto& list = lists[std::size_t(k % streams)];
        const int taken = earlier[std::size_t(k)];
        for (int j = 0; j < D; ++j) {
          double expected = 0;  // the stream has ended
          if (taken >= 0) expected = back <= taken ? list[std::size_t(taken - back)][std::size_t(j)] : 9;
          CHECK(to[std::size_t(k * stride + j)] == expected);
        }
        CHECK(to[std::size_t(k * stride + D)] == unset);
      }
    }
  }
}

TEST_CASE("rows as numbers, and numbers in order") {
  double numbers[rows], up[4];
  backend::numbers_of_tokens(reference{}, rows, tokens, numbers);
  CHECK(std::equal(numbers, numbers + rows, tokens));
  backend::count_up(reference{}, 4, up);
  CHECK(std::is_sorted(up, up + 4));
  CHECK(up[0] + up[1] + up[2] + up[3] == 6);
  CHECK(backend::count_tokens(reference{}, rows, tokens) ==
        std::count_if(tokens, tokens + rows, [](int token) { return token != -1; }));
  std::vector<double> from = some(rows * stride, 8), to(rows * (D + 1), unset);
  backend::copy_rows<D>(reference{}, rows, from.data(), stride, to.data(), D + 1);
  for (int r = 0; r < rows; ++r) {
    CHECK(std::equal(to.begin() + r * (D + 1), to.begin() + r * (D + 1) + D, from.begin() + r * stride));
    CHECK(to[std::size_t(r * (D + 1) + D)] == unset);
  }
  backend::clear_rows<D>(reference{}, rows, to.data(), D + 1);
  CHECK(std::count(to.begin(), to.end(), 0.0) == rows * D);
  backend::set_all(reference{}, std::ptrdiff_t(to.size()), 4.0, to.data());
  CHECK(std::count(to.begin(), to.end(), 4.0) == std::ptrdiff_t(to.size()));
}

}  // namespace tenon::test
