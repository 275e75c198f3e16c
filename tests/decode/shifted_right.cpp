// The tokens that a decoder reads in training, against their law: after each token comes the next one of the target.
#include "tenon/decode/shifted_right.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace tenon::test {

TEST_CASE(
    "in front of each token of a target is the token before it, in front of the first the start token") {
  const std::vector<std::vector<int>> targets{{4, 7, 7, 2}, {}, {9}};
  const auto read = decoding::shifted_right(targets, 1);
  static_assert(std::same_as<decltype(read), const std::vector<std::vector<int>>>);
  REQUIRE(read.size() == targets.size());
  for (std::size_t row = 0; row < targets.size(); ++row) {
    REQUIRE(read[row].size() == targets[row].size());
    for (std::size_t t = 0; t < targets[row].size(); ++t)
      CHECK(read[row][t] == (t == 0 ? 1 : targets[row][t - 1]));
  }
}

TEST_CASE("one sequence is shifted by itself, whatever holds its whole numbers") {
  const std::vector<int> expected{0, 3, 5};
  CHECK(decoding::shifted_right(std::vector<int>{3, 5, 8}, 0) == expected);
  CHECK(decoding::shifted_right(std::array<std::int64_t, 3>{3, 5, 8}, 0) == expected);
  CHECK(decoding::shifted_right(std::list<std::uint8_t>{3, 5, 8}, 0) == expected);
  const std::vector<std::int16_t> held{3, 5, 8};
  CHECK(decoding::shifted_right(std::span(held), 0) == expected);
  CHECK(decoding::shifted_right(std::list<std::vector<int>>{{3, 5, 8}}, 0) == std::vector<std::vector<int>>{expected});
  CHECK(decoding::shifted_right(std::vector<int>{}, 0).empty());
}

}  // namespace tenon::test
