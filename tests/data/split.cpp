// Parts of a data set, two or several, drawn under a seed.
#include "tenon/data/split.hpp"

#include "tenon/data/data_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <set>
#include <type_traits>
#include <vector>

namespace tenon::test {

using rows = std::vector<int>;

// The numbers of the rows of a data set whose lengths are its numbers.
rows numbers(const auto& data) {
  rows all;
  for (int k = 0; k < data.size(); ++k) all.push_back(data.length(k));
  return all;
}
TEST_CASE("split holds out a share of the rows; both parts together are all of them, in their order") {
  const data_set data(column<"x">(40, [](int r) { return rows(static_cast<std::size_t>(r)); }));
  REQUIRE(numbers(data)[39] == 39);
  const auto [rest, part] = split(data, 0.3, seed{5});
  CHECK(rest.size() == 28);
  CHECK(part.size() == 12);
  rows together = numbers(rest);
  for (int n : numbers(part)) together.push_back(n);
  CHECK(std::set<int>(together.begin(), together.end()).size() == 40);
  CHECK(std::is_sorted(together.begin(), together.begin() + 28));
  CHECK(std::is_sorted(together.begin() + 28, together.end()));
  CHECK(numbers(part) != rows{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
}
TEST_CASE("the seed decides which rows are held out") {
  const data_set data(column<"x">(40, [](int r) { return rows(static_cast<std::size_t>(r)); }));
  CHECK(numbers(split(data, 0.3, seed{5}).part) == numbers(split(data, 0.3, seed{5}).part));
  CHECK(numbers(split(data, 0.3, seed{5}).part) != numbers(split(data, 0.3, seed{6}).part));
  std::set<int> seen;  // none is always in one part
  for (unsigned s = 0; s < 60; ++s)
    for (int n : numbers(split(data, 0.3, seed{s}).part)) seen.insert(n);
  CHECK(seen.size() == 40);
}
TEST_CASE("a share is rounded; it may be nothing or all, and no more") {
  const data_set data(column<"x">(std::vector<int>(7)));
  CHECK(split(data, 0.1, {}).part.size() == 1);
  CHECK(split(data, 0.05, {}).part.size() == 0);
  CHECK(split(data, 0.5, {}).part.size() == 4);
  CHECK(split(data, 0, {}).rest.size() == 7);
  CHECK(split(data, 1, {}).rest.size() == 0);
  CHECK_THROWS_WITH_AS(split(data, 1.5, {}), "split: expected a share from 0 to 1, got 1.500000",
                       input_error);
  CHECK_THROWS_WITH_AS(split(data, -0.5, {}), "split: expected a share from 0 to 1, got -0.500000",
                       input_error);
  CHECK_THROWS_AS(split(data, std::nan(""), {}), input_error);
}
TEST_CASE("the positions of both parts, of a number of rows, are those of a data set of as many") {
  const data_set data(column<"x">(40, [](int r) { return rows(static_cast<std::size_t>(r)); }));
  const auto [rest, part] = split(std::vector<int>(40).size(), 0.3, seed{5});
  static_assert(std::is_same_v<decltype(rest), const std::vector<int>>);
  CHECK(rest == numbers(split(data, 0.3, seed{5}).rest));
  CHECK(part == numbers(split(data, 0.3, seed{5}).part));
  CHECK(numbers(data.part(part)) == part);
  CHECK(split(0, 0.3, {}).rest.empty());
  CHECK_THROWS_WITH_AS(split(-1, 0.3, {}), "split: expected a number of rows, got -1", input_error);
  CHECK_THROWS_WITH_AS(split(1ull << 32, 0.3, {}), "split: expected a number of rows, got 4294967296",
                       input_error);
}
TEST_CASE("a part can be split, and keeps to its rows") {
  const data_set data(column<"x">(40, [](int r) { return rows(static_cast<std::size_t>(r)); }));
  const auto [train, rest] = split(data, 0.5, seed{1});
  const auto [validation, test] = split(rest, 0.5, seed{1});
  std::set<int> all;
  for (const auto& part : {train, validation, test})
    for (int n : numbers(part)) all.insert(n);
  CHECK(all.size() == 40);
  CHECK(train.size() == 20);
  CHECK(validation.size() == 10);
}

TEST_CASE("shares of all parts: every row is in one of them, and each part is in the order of the rows") {
  const data_set data(column<"x">(40, [](int r) { return rows(static_cast<std::size_t>(r)); }));
  const auto [train, validation, test] = split(data, {0.5, 0.3, 0.2}, seed{5});
  static_assert(std::is_same_v<decltype(train), decltype(data)>);
  CHECK(train.size() == 20);
  CHECK(validation.size() == 12);
  CHECK(test.size() == 8);
  std::set<int> seen;
  for (const auto& part : {train, validation, test}) {
    const rows some = numbers(part);
    CHECK(std::is_sorted(some.begin(), some.end()));
    seen.insert(some.begin(), some.end());
  }
  CHECK(seen.size() == 40);
  CHECK(numbers(train) != numbers(split(data, {0.5, 0.3, 0.2}, seed{6})[0]));
  CHECK(numbers(train) == numbers(split(data, {0.5, 0.5}, seed{5})[0]));  // cuts of one order
  CHECK(numbers(train) == numbers(split(data, 0.5, seed{5}).part));
}
TEST_CASE("the positions of all parts are those of a data set of as many rows") {
  const data_set data(column<"x">(40, [](int r) { return rows(static_cast<std::size_t>(r)); }));
  const auto positions = split(std::vector<int>(40).size(), {0.5, 0.3, 0.2}, seed{5});
  static_assert(std::is_same_v<decltype(positions), const std::array<std::vector<int>, 3>>);
  const auto parts = split(data, {0.5, 0.3, 0.2}, seed{5});
  for (std::size_t k = 0; k < 3; ++k) CHECK(positions[k] == numbers(parts[k]));
}
TEST_CASE("the ends of parts are rounded, so that together they are all rows") {
  const auto sizes = [](int count, std::same_as<double> auto... shares) {
    std::vector<std::size_t> all;
    for (const auto& part : split(count, {shares...}, seed{1})) all.push_back(part.size());
    return all;
  };
  using of = std::vector<std::size_t>;
  CHECK(sizes(10, 0.34, 0.33, 0.33) == of{3, 4, 3});
  CHECK(sizes(10, 0.25, 0.25, 0.25, 0.25) == of{3, 2, 3, 2});
  CHECK(sizes(1, 0.4, 0.3, 0.3) == of{0, 1, 0});
  CHECK(sizes(7, 0.0, 1.0, 0.0) == of{0, 7, 0});
  CHECK(sizes(0, 0.5, 0.5) == of{0, 0});
  CHECK(sizes(1000, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1) == of(10, 100));
  CHECK(sizes(2000000, 0.5, 0.5000004) == of{1000000, 1000000});  // as near to 1 as shares need to be
  CHECK(sizes(2000000, 0.5, 0.5000004, 0.0) == of{1000000, 1000000, 0});
  CHECK(split(3, {1, 0}, {})[0] == rows{0, 1, 2});
}
TEST_CASE("shares that are none, or have another sum than 1") {
  const data_set data(column<"x">(std::vector<int>(7)));
  CHECK_THROWS_WITH_AS(split(data, {0.8, 0.3, -0.1}, {}),
                       "split: share 3 of 3: expected one from 0 to 1, got -0.100000", input_error);
  CHECK_THROWS_WITH_AS(split(7, {1.5, 0.5}, {}),
                       "split: share 1 of 2: expected one from 0 to 1, got 1.500000", input_error);
  CHECK_THROWS_AS(split(7, {std::nan(""), 1}, {}), input_error);
  const char* const sum =
      "split: expected shares whose sum is 1, as of {0.8, 0.1, 0.1}, got a sum of 0.900000";
  CHECK_THROWS_WITH_AS(split(data, {0.8, 0.1}, {}), sum, input_error);
  CHECK_THROWS_WITH_AS(split(7, {0.8, 0.1}, {}), sum, input_error);
  CHECK_THROWS_AS(split(7, {0.5, 0.50001}, {}), input_error);
  CHECK_THROWS_WITH_AS(split(-1, {0.5, 0.5}, {}), "split: expected a number of rows, got -1", input_error);
}

}  // namespace tenon::test
