// The tree of sums: against its definition, written as a recursion, with numbers whose sum shows the order of additions.
#include "tenon/distribute/sum_tree.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace tenon::test {

std::vector<double> numbers(int count) {
  std::vector<double> all;
  for (int k = 0; k < count; ++k) all.push_back(std::sin(3.7 * k) * std::exp2(k * 29 % 23));
  return all;
}
// The sum of `count` places from `first` on.
double sum_of(const std::vector<double>& all, int first, int count) {
  if (count == 1) return all[static_cast<std::size_t>(first)];
  int left = 1;
  while (2 * left < count) left *= 2;
  return sum_of(all, first, left) + sum_of(all, first + left, count - left);
}

TEST_CASE("numbers are summed along the tree") {
  int other_than_in_a_row = 0;
  for (int count = 1; count <= 70; ++count) {
    const std::vector<double> all = numbers(count);
    std::vector<double> places = all;
    distribute::tree_sum sum;
    for (const double x : all) sum.add(x);
    distribute::each_addition(count, [&](int k, int other) {
      REQUIRE(k < other);
      places[static_cast<std::size_t>(k)] += places[static_cast<std::size_t>(other)];
    });
    CHECK(sum.value() == sum_of(all, 0, count));
    CHECK(places[0] == sum_of(all, 0, count));
    if (sum.value() != std::accumulate(all.begin(), all.end(), 0.0)) ++other_than_in_a_row;
  }
  CHECK(other_than_in_a_row > 40);
  CHECK(distribute::tree_sum{}.value() == 0);
}

// Four workers of a tree of 16, whose sums are those of four places that follow each other.
TEST_CASE("whoever computes a part of the tree, the sum is the same") {
  const std::vector<double> all = numbers(16);
  distribute::tree_sum whole, of_workers;
  for (const double x : all) whole.add(x);
  for (int w = 0; w < 4; ++w) {
    distribute::tree_sum part;
    for (int k = 0; k < 4; ++k) part.add(all[static_cast<std::size_t>(4 * w + k)]);
    of_workers.add(part.value());
  }
  CHECK(of_workers.value() == whole.value());
}

TEST_CASE("slices are whole rows of a block, follow each other, and differ by at most a row") {
  for (const std::ptrdiff_t rows : {0, 1, 2, 7, 40, 1001})
    for (const int count : {1, 2, 3, 7, 16}) {
      CAPTURE(rows);
      CAPTURE(count);
      constexpr std::ptrdiff_t row = distribute::block_slices::row;
      const distribute::block_slices slices{rows * row, count};
      CHECK(slices.begin(0) == 0);
      CHECK(slices.begin(count) == slices.size);
      for (int k = 0; k < count; ++k) {
        const std::ptrdiff_t length = slices.begin(k + 1) - slices.begin(k);
        CHECK(length % row == 0);
        CHECK(length / row >= rows / count);
        CHECK(length / row <= rows / count + 1);
      }
    }
  const distribute::block_slices odd{37};  // one slice may be of any size
  CHECK(odd.begin(1) == 37);
}

}  // namespace tenon::test
