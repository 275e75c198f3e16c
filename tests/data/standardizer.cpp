// Standardised numbers, against the definition written by hand, xtensor's functions, and scikit-learn's rule for constant columns.
#include "tenon/data/standardizer.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/io/xarray.hpp"

#include <doctest/doctest.h>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::test {

using house = std::array<float, 3>;
const std::vector<house> houses{{50, 3, 0.5f}, {120, 5, 2}, {80, 4, 9}, {200, 1, -3}, {65, 2, 0}};

// Mean and deviation of number k of some rows, from sums of squares.
std::array<double, 2> by_hand(const auto& rows, const std::vector<int>& seen, std::size_t k) {
  double sum = 0, squares = 0;
  for (int r : seen) {
    const double x = rows[static_cast<std::size_t>(r)][k];
    sum += x;
    squares += x * x;
  }
  const double n = double(seen.size());
  return {sum / n, std::sqrt(squares / n - sum * sum / (n * n))};
}
std::string message_of_input(auto&& f) {
  try {
    f();
  } catch (const input_error& error) { return error.what(); }
  return "nothing was thrown";
}

TEST_CASE("mean and deviation are those of the rows that are seen, and all rows are brought to their scale") {
  const std::vector<int> seen{0, 2, 3};
  const standardizer scale(houses, seen);
  const auto scaled = scale(houses);
  static_assert(std::is_same_v<decltype(scaled), const std::vector<house>>);
  REQUIRE(scaled.size() == 5);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [mean, deviation] = by_hand(houses, seen, k);
    CHECK(scale.mean()[k] == doctest::Approx(mean));
    CHECK(scale.deviation()[k] == doctest::Approx(deviation));
    for (std::size_t r = 0; r < 5; ++r) {
      CHECK(scaled[r][k] == doctest::Approx((double(houses[r][k]) - mean) / deviation));
      CHECK(scale.original(double(scaled[r][k]), k) == doctest::Approx(double(houses[r][k])));
    }
    const auto [its_mean, its_deviation] = by_hand(scaled, seen, k);
    CHECK(std::abs(its_mean) < 1e-6);
    CHECK(its_deviation == doctest::Approx(1));
  }
  CHECK(scale.row(houses[4]) == scaled[4]);
  const standardizer of_all(houses);
  CHECK(of_all.mean()[0] == doctest::Approx(by_hand(houses, {0, 1, 2, 3, 4}, 0)[0]));
}
TEST_CASE("one number a row, whole numbers, yes and no, rows of vectors") {
  const std::vector<double> prices{100, 300, 200};
  const standardizer price(prices, {0, 1});
  CHECK(price.mean() == std::vector<double>{200});
  CHECK(price.deviation() == std::vector<double>{100});
  CHECK(price(prices) == std::vector<double>{-1, 1, 0});
  CHECK(price.row(250.0) == 0.5);
  CHECK(price.row(250) == 0.5f);
  static_assert(std::is_same_v<decltype(price.row(250)), float>);
  CHECK(price.original(0.5) == 250);
  CHECK(price.original(0.5f) == 250);

  const std::vector<int> rooms{1, 3};
  static_assert(std::is_same_v<decltype(standardizer(rooms)(rooms)), std::vector<float>>);
  CHECK(standardizer(rooms)(rooms) == std::vector<float>{-1, 1});
  const std::vector<bool> sold{true, false};
  CHECK(standardizer(sold)(sold) == std::vector<float>{1, -1});
  const std::vector<std::array<int, 2>> whole{{1, 10}, {3, 30}};
  CHECK(standardizer(whole)(whole) == std::vector<std::array<float, 2>>{{-1, -1}, {1, 1}});
  CHECK(standardizer(whole).row(std::array{2, 40}) == std::array{0.0f, 2.0f});
  CHECK(standardizer(whole).row({2, 40}) == std::array{0.0f, 2.0f});
  const std::vector<std::vector<double>> wide{{1, 10}, {3, 30}};
  CHECK(standardizer(wide)(wide) == std::vector<std::vector<double>>{{-1, -1}, {1, 1}});
  CHECK(standardizer(wide).row(std::vector{2, 40}) == std::vector{0.0f, 2.0f});
  CHECK(standardizer(wide)(std::vector<std::vector<double>>()).empty());
  CHECK(data_set(column<"x">(standardizer(whole)(whole)), column<"target">(price(std::vector{1.0, 2.0})))
            .size() == 2);
}
TEST_CASE("tensors and their views, which are not written through") {
  xt::xtensor<double, 2> table{{50, 3, 200}, {120, 5, 300}, {80, 4, 100}, {200, 1, 50}};
  const auto before = table;
  const std::vector<int> seen{0, 1, 3};
  const auto some = xt::view(table, xt::keep(seen));
  const xt::xtensor<double, 1> mean = xt::mean(some, {0}), deviation = xt::stddev(some, {0});
  const standardizer scale(table, seen), of_view(some);
  const auto scaled = scale(table);
  static_assert(std::is_same_v<decltype(scaled), const xt::xtensor<double, 2>>);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(scale.mean()[k] == doctest::Approx(mean(k)));
    CHECK(scale.deviation()[k] == doctest::Approx(deviation(k)));
    CHECK(of_view.deviation()[k] == doctest::Approx(deviation(k)));
    for (std::size_t r = 0; r < 4; ++r)
      CHECK(scaled(r, k) == doctest::Approx((table(r, k) - mean(k)) / deviation(k)));
  }
  auto column = xt::view(table, xt::all(), 2);  // of rank 1: a number a row
  const standardizer price(column, seen);
  const auto prices = price(column);
  REQUIRE(prices.dimension() == 1);
  REQUIRE(prices.shape()[0] == 4);
  CHECK(price.mean()[0] == doctest::Approx(mean(2)));
  CHECK(prices(2) == doctest::Approx((100 - mean(2)) / deviation(2)));
  const auto row = scale.row(xt::view(table, 2, xt::all()));
  REQUIRE(row.dimension() == 1);
  for (std::size_t k = 0; k < 3; ++k) CHECK(row(k) == scaled(2, k));
  CHECK(table == before);

  const xt::xarray<float> of_any_rank = table;  // its rank is known only at run time
  const xt::xarray<float> on_scale = standardizer(of_any_rank, seen)(of_any_rank);
  CHECK(on_scale(3, 1) == doctest::Approx(scaled(3, 1)));
  const xt::xarray<float> line{1, 3};
  CHECK(standardizer(line)(line)(1) == 1);
  CHECK(standardizer({1, 2}, {1, 2}).row(line)(1) == 0.5f);
  const std::vector<double> numbers{1, 10, 3, 30};
  const auto adapted = xt::adapt(numbers.data(), 4, xt::no_ownership(), std::array<std::size_t, 2>{2, 2});
  CHECK(standardizer(adapted)(adapted)(1, 0) == 1);
}
TEST_CASE("a number that is alike in all rows becomes 0, and the others stay what they are") {
  const std::vector<std::array<double, 2>> rows(
      7, {0.1, 1e300});  // the mean of 0.1 is rounded, squares of 1e300 are infinite
  const standardizer scale(rows);
  CHECK(scale.mean() == std::vector<double>{0.1, 1e300});
  CHECK(scale.deviation() == std::vector<double>{1, 1});
  CHECK(scale(rows)[3] == std::array<double, 2>{0, 0});
  CHECK(scale.row(std::array{0.35, 1e300})[0] == doctest::Approx(0.25));
  const std::vector<double> large{1e9 + 1, 1e9 + 2,
                                  1e9 + 3};  // two passes: no difference of large sums of squares
  CHECK(standardizer(large).deviation()[0] == doctest::Approx(std::sqrt(2.0 / 3)).epsilon(1e-9));
  CHECK(standardizer(std::vector{1e-200, 3e-200}).deviation()[0] == 1);
}
TEST_CASE("mean and deviation that are given") {
  const standardizer scale({10, 20}, {2, 4});
  CHECK(scale.row(std::array{14.0, 12.0}) == std::array{2.0, -2.0});
  CHECK(scale.original(-2, 1) == 12);
  const standardizer learned(houses), again(learned.mean(), learned.deviation()), copied(again);
  CHECK(copied(houses) == learned(houses));
  CHECK_THROWS_WITH_AS(
      standardizer({1, 2}, std::vector<double>{1}),
      "standardizer: expected a mean and a deviation for each number, got 2 means and 1 deviations",
      input_error);
  CHECK_THROWS_AS(standardizer(std::vector<double>(), std::vector<double>()), input_error);
  CHECK_THROWS_WITH_AS(standardizer({1, 2}, {1, 0}),
                       "standardizer: deviation of number 1: expected a finite number above 0, got 0.000000",
                       input_error);
  CHECK_THROWS_AS(standardizer({1, 2}, {-1, 1}), input_error);
  CHECK_THROWS_AS(standardizer({1, 2}, {std::nan(""), 1}), input_error);
  CHECK_THROWS_AS(standardizer({1, 2}, {std::numeric_limits<double>::infinity(), 1}), input_error);
  CHECK_THROWS_WITH_AS(standardizer({std::numeric_limits<double>::infinity(), 2}, {1, 1}),
                       "standardizer: mean of number 0: expected a finite number, got inf", input_error);
}
TEST_CASE("missing numbers teach nothing and become the mean") {
  const float none = std::nanf("");
  const std::vector<std::array<float, 2>> rows{{none, 1}, {3, 4}, {5, none}, {none, none}, {7, 1}};
  const standardizer scale(rows, {0, 1, 2, 3}, {.allow_missing = true});
  CHECK(scale.mean()[0] == 4);
  CHECK(scale.deviation()[0] == 1);
  CHECK(scale.mean()[1] == 2.5);
  CHECK(scale.deviation()[1] == 1.5);
  const auto z = scale(rows);
  CHECK(z[0] == std::array{0.0f, -1.0f});
  CHECK(z[2] == std::array{1.0f, 0.0f});
  CHECK(z[3] == std::array{0.0f, 0.0f});
  CHECK(z[4][0] == 3);
  const standardizer saved(scale.mean(), scale.deviation(), {.allow_missing = true});
  CHECK(saved.row({none, 4.0f}) == std::array{0.0f, 1.0f});
  CHECK_THROWS_WITH_AS(standardizer(rows, {3, 0}, {.allow_missing = true}),
                       "standardizer: number 0 is missing in all rows to learn from", input_error);
  CHECK_THROWS_AS(scale(std::vector<std::array<float, 2>>{{1, INFINITY}}), input_error);
}

TEST_CASE("what is wrong is said with its row and its number") {
  CHECK(message_of_input([] { standardizer(std::vector<float>()); }) ==
        "standardizer: expected rows to learn from, got none");
  CHECK(message_of_input([] { standardizer(houses, {}); }) ==
        "standardizer: expected rows to learn from, got none");
  CHECK(message_of_input([] {
          standardizer(houses, {1, 5});
        }) == "standardizer: there is no row 5; there are 5, which count from 0");
  CHECK(message_of_input([] { standardizer(houses, {-1}); }) ==
        "standardizer: there is no row -1; there are 5, which count from 0");
  CHECK(message_of_input([] {
          standardizer(xt::xtensor<float, 2>({2, 0}));
        }) == "standardizer: row 0 has no numbers");
  std::vector<house> odd = houses;
  odd[3][1] = std::nanf("");
  CHECK(message_of_input([&] { standardizer{odd}; }) ==
        "standardizer: row 3, number 1: expected a finite number, got nan; where numbers are missing, "
        "standardizer(rows, seen, {.allow_missing = true})");
  const standardizer scale(odd, {0, 1, 2});  // row 3 is not read
  CHECK(message_of_input([&] { scale(odd); }) ==
        "standardizer: row 3, number 1: expected a finite number, got nan; where numbers are missing, "
        "standardizer(rows, seen, {.allow_missing = true})");
  odd[3][1] = std::numeric_limits<float>::infinity();
  CHECK(message_of_input([&] { scale.row(odd[3]); }) ==
        "standardizer: row 0, number 1: expected a finite number, got inf");
  const std::vector<std::vector<float>> ragged{{1, 2, 3}, {1, 2}};
  CHECK(message_of_input([&] { standardizer{ragged}; }) == "standardizer: row 1: expected 3 numbers, got 2");
  CHECK(message_of_input([&] { scale(ragged); }) == "standardizer: row 1: expected 3 numbers, got 2");
  CHECK(message_of_input([&] {
          scale(std::vector<double>{120, 10, 4});
        }) == "standardizer: row 0: expected 3 numbers, got 1; one row by itself is scale.row(row)");
  CHECK(message_of_input([&] {
          scale.row(2.0);
        }).starts_with("standardizer: row 0: expected 3 numbers, got 1"));
  CHECK(message_of_input([&] { scale.row(std::vector<float>(4)); }) ==
        "standardizer: row 0: expected 3 numbers, got 4");
  CHECK(message_of_input([&] {
          scale(xt::xtensor<float, 2>({4, 2}, 1.0f));
        }) == "standardizer: row 0: expected 3 numbers, got 2");
  CHECK(message_of_input([&] {
          scale(xt::xarray<float>::from_shape({4, 2, 1}));
        }) == "standardizer: expected a tensor of rank 1 or 2, got rank 3");
  CHECK(message_of_input([&] {
          scale.row(xt::xarray<float>::from_shape({4, 2}));
        }) == "standardizer: expected a tensor of rank 1, got rank 2");
  CHECK(message_of_input([&] { scale.original(1, 3); }) ==
        "standardizer: there is no number 3; a row has 3, which count from 0");
  CHECK(message_of_input([&] { scale.original(1, -1); }) ==
        "standardizer: there is no number -1; a row has 3, which count from 0");
  CHECK(message_of_input([] {
          standardizer(std::vector{1e300, -1e300});
        }) == "standardizer: deviation of number 0: expected a finite number, got inf");
}

template <class... Given>
inline constexpr bool is_made_of = std::is_constructible_v<standardizer, Given...>;
static_assert(is_made_of<std::vector<float>> &&
              is_made_of<std::vector<std::array<int, 2>>, std::vector<int>>);
static_assert(is_made_of<xt::xtensor<float, 2>> && is_made_of<std::vector<double>, std::vector<double>>);
static_assert(!is_made_of<> && !is_made_of<float> && !is_made_of<std::vector<std::string>>);
static_assert(!is_made_of<std::array<float, 3>> && !is_made_of<std::vector<std::vector<std::vector<float>>>>);
static_assert(!is_made_of<xt::xtensor<float, 3>> && !is_made_of<xt::xtensor<int, 2>>);
static_assert(!is_made_of<std::vector<float>, float>);

}  // namespace tenon::test
