// Two or more parts of a data set, drawn with a seed.
#include "tenon/data/split.hpp"

#include "tenon/data/data_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::test {

using rows = std::vector<int>;

struct unordered {};
static_assert(detail::GroupKey<int> && detail::GroupKey<std::string> &&
              detail::GroupKey<std::pair<int, double>>);
static_assert(!detail::GroupKey<unordered>);
static_assert(!detail::GroupKey<const char*> && !detail::GroupKey<int*>);  // an order of places in memory

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
  std::set<int> seen;  // no row is in the same part for all seeds
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
  CHECK(sizes(1300000, 0.5, 0.5000004) == of{650000, 650000});  // as near to 1 as shares need to be
  CHECK(sizes(1300000, 0.5, 0.5000004, 0.0) == of{650000, 650000, 0});
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

// Every row is in a part, each part keeps the order of rows, and no group is in two parts.
template <class Key>
void check_groups(const std::vector<Key>& groups, const auto&... parts) {
  std::set<int> seen;
  std::vector<std::set<Key>> of_parts;
  for (const rows& part : {parts...}) {
    CHECK(std::is_sorted(part.begin(), part.end()));
    seen.insert(part.begin(), part.end());
    std::set<Key> some;
    for (int r : part) some.insert(groups[std::size_t(r)]);
    for (const std::set<Key>& others : of_parts)
      for (const Key& key : some) CHECK(!others.contains(key));
    of_parts.push_back(some);
  }
  CHECK(seen.size() == groups.size());
  CHECK((parts.size() + ...) == groups.size());
}
TEST_CASE("groups of one row each: what a number of rows gives") {
  std::vector<std::string> names;
  for (int k = 0; k < 41; ++k) names.push_back("row " + std::to_string(7 * k % 41));
  for (const unsigned s : {0u, 5u}) {
    for (const double share : {0.0, 0.1, 0.31, 1.0}) {
      CHECK(split(names, share, seed{s}).part == split(41, share, seed{s}).part);
      CHECK(split(names, share, seed{s}).rest == split(41, share, seed{s}).rest);
    }
    CHECK(split(names, {0.5, 0.3, 0.2}, seed{s}) == split(41, {0.5, 0.3, 0.2}, seed{s}));
  }
  static_assert(std::is_same_v<decltype(split(names, {0.5, 0.3, 0.2}, seed{})), std::array<rows, 3>>);
  CHECK(split(std::vector<int>(), 0.5, {}).rest.empty());
}
TEST_CASE("rows of one group are in one part, and parts end with the group that reaches their share") {
  std::vector<int> groups;  // of 1, 2 .. 30 rows, mixed
  for (int g = 1; g <= 30; ++g)
    for (int k = 0; k < g; ++k) groups.insert(groups.begin() + (17 * g + 5 * k) % int(groups.size() + 1), g);
  const auto count = double(groups.size());
  for (unsigned s = 0; s < 20; ++s) {
    const auto [rest, part] = split(groups, 0.2, seed{s});
    check_groups(groups, rest, part);
    CHECK(double(part.size()) >= std::round(0.2 * count));
    CHECK(double(part.size()) < std::round(0.2 * count) + 30);
    const auto [train, validation, test] = split(groups, {0.6, 0.2, 0.2}, seed{s});
    check_groups(groups, train, validation, test);
    CHECK(double(train.size()) >= std::round(0.6 * count));
    CHECK(double(train.size() + validation.size()) >= std::round(0.8 * count));
    CHECK(double(train.size() + validation.size()) < std::round(0.8 * count) + 30);
    CHECK(split(groups, {0.2, 0.8}, seed{s})[0] == part);  // cuts of one order
    CHECK(train == split(groups, {0.6, 0.2, 0.2}, seed{s})[0]);
  }
  CHECK(split(groups, 0.2, seed{1}).part != split(groups, 0.2, seed{2}).part);
  CHECK(split(groups, 0, {}).part.empty());
  CHECK(split(groups, 1, {}).rest.empty());
}
TEST_CASE("rows that occur twice do not leak; any key that is compared is a group") {
  using features = std::array<float, 2>;
  const std::vector<features> repeated{{1, 2}, {3, 4}, {1, 2}, {5, 6}, {3, 4}, {1, 2}};
  for (unsigned s = 0; s < 10; ++s) {
    const auto [rest, part] = split(repeated, 0.5, seed{s});
    check_groups(repeated, rest, part);
  }
  CHECK_THROWS_WITH_AS(split(std::vector<float>{1, std::nanf(""), 1}, 0.5, seed{1}),
                       "split: row 1: its group is not a number (NaN)", input_error);
  CHECK_THROWS_WITH_AS(split(std::vector<features>{{1, 2}, {1, 3}, {std::nanf(""), 2}}, {0.5, 0.5}, seed{1}),
                       "split: row 2: its group is not a number (NaN)", input_error);
  const std::vector<bool> two{true, false, true, true};
  const auto [rest, part] = split(two, 0.5, seed{1});
  check_groups(two, rest, part);
  const std::vector<std::string> all_alike(5, "Bonn");
  CHECK(split(all_alike, {0.2, 0.3, 0.5}, seed{1}) ==
        std::array<rows, 3>{rows{0, 1, 2, 3, 4}, rows{}, rows{}});
  CHECK_THROWS_WITH_AS(split(all_alike, -0.5, {}), "split: expected a share from 0 to 1, got -0.500000",
                       input_error);
  CHECK_THROWS_AS(split(all_alike, {0.5, 0.1}, {}), input_error);
}
// A key of the user's, that has both comparisons, and one that has only the one that is asked for.
struct place {
  double latitude, longitude;
  auto operator<=>(const place&) const = default;
};
struct only_below {
  int value;
  bool operator<(const only_below& other) const { return value < other.value; }
};
TEST_CASE("NaN is refused wherever it is in a key") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused_row = [](const auto& groups) {
    const auto said = [&](auto part) -> std::string {
      try {
        part();
      } catch (const input_error& error) { return error.what(); }
      return "no error";
    };
    const std::string of_share = said([&] { split(groups, 0.5, seed{1}); });
    CHECK(of_share == said([&] { split(groups, {0.5, 0.5}, seed{1}); }));
    return of_share;
  };
  const std::string first = "split: row 1: its group is not a number (NaN)";
  using pair = std::pair<int, double>;
  CHECK(refused_row(std::vector<std::array<double, 3>>{{1, 2, 3}, {1, 2, nan}}) == first);
  CHECK(refused_row(std::vector<std::vector<float>>{{1}, {1, 2, 3, std::nanf("")}}) == first);
  CHECK(refused_row(std::vector<pair>{{1, 2}, {1, nan}}) == first);
  CHECK(refused_row(std::vector<std::pair<double, int>>{{1, 2}, {nan, 1}}) == first);
  CHECK(refused_row(std::vector<std::tuple<int, std::string, long double>>{{1, "a", 2}, {1, "a", nan}}) ==
        first);
  CHECK(refused_row(std::vector<std::pair<std::string, std::vector<pair>>>{
            {"a", {}}, {"a", {{1, 2}, {3, nan}}}}) == first);
  CHECK(refused_row(std::vector<std::optional<double>>{std::nullopt, nan}) == first);
  CHECK(refused_row(std::vector<place>{{1, 2}, {1, nan}}) == first);
  CHECK(refused_row(std::vector<std::set<double>>{{1, 2}, {nan}}) == first);
  // Without NaN there is no error.
  CHECK(refused_row(std::vector<pair>{{1, 2}, {1, 2}}) == "no error");
  CHECK(refused_row(std::vector<place>{{1, 2}, {1, 2}}) == "no error");
  CHECK(refused_row(std::vector<only_below>{{1}, {2}}) == "no error");
  CHECK(refused_row(std::vector<std::vector<only_below>>{{{1}}, {{2}}}) == "no error");
  CHECK(refused_row(std::vector<std::filesystem::path>{"a/b", "a"}) == "no error");
  CHECK(refused_row(std::vector<std::vector<bool>>{{true}, {false}}) == "no error");
}

}  // namespace tenon::test
