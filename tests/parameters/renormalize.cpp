// Rows of a table scaled to a norm: against the norms of each row in long double, before and after; rows that are not named, or short
// enough, keep their bits.
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/parameters/renormalize.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace tenon::test {
using namespace nn;

using table_model = graph<"table_model", input<"token", token<9>>, node<"embedded", embedding<9, 5>, "token">,
                          output<"embedded">>;
constexpr int rows = 9, columns = 5;

parameters<table_model> some() {
  parameters<table_model> theta(zeros{});
  const auto table = get<"embedded.weight">(theta);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < columns; ++j)
      table(r, j) = static_cast<float>(0.1 * double(r + 1) * std::sin(1 + double(3 * r + 7 * j)));
  return theta;
}
long double norm_of(const parameters<table_model>& theta, int row, double p) {
  const auto table = get<"embedded.weight">(theta);
  std::vector<long double> sizes;
  for (std::size_t j = 0; j < columns; ++j)
    sizes.push_back(std::abs(static_cast<long double>(table(std::size_t(row), j))));
  if (std::isinf(p)) return *std::max_element(sizes.begin(), sizes.end());
  long double sum = 0;
  for (long double x : sizes) sum += std::pow(x, static_cast<long double>(p));
  return std::pow(sum, 1 / static_cast<long double>(p));
}
// Which rows are unchanged?
std::set<int> kept(const parameters<table_model>& before, const parameters<table_model>& after) {
  std::set<int> all;
  for (int r = 0; r < rows; ++r) {
    bool is_same = true;
    for (std::size_t j = 0; j < columns; ++j)
      is_same = is_same && get<"embedded.weight">(before)(std::size_t(r), j) ==
                               get<"embedded.weight">(after)(std::size_t(r), j);
    if (is_same) all.insert(r);
  }
  return all;
}

TEST_CASE("rows that are too long have the norm that was asked for, in their old direction") {
  int shortened = 0, untouched = 0;
  for (const double p : {1.0, 2.0, 3.0, 0.5, std::numeric_limits<double>::infinity()})
    for (const double max_norm : {0.3, 0.8}) {
      const parameters<table_model> before = some();
      parameters<table_model> theta = before;
      renormalize<"embedded.weight">(theta, max_norm, p);
      std::set<int> short_ones;
      for (int r = 0; r < rows; ++r) {
        const long double was = norm_of(before, r, p), is = norm_of(theta, r, p);
        if (was <= static_cast<long double>(max_norm)) short_ones.insert(r);
        else
          CHECK(std::abs(is - static_cast<long double>(max_norm)) <
                2e-6L * static_cast<long double>(max_norm));
        for (std::size_t j = 0; j < columns; ++j) {
          const double x = double(get<"embedded.weight">(before)(std::size_t(r), j)),
                       y = double(get<"embedded.weight">(theta)(std::size_t(r), j));
          CHECK(std::abs(y * double(was) - x * double(is)) < 1e-6);
        }
      }
      INFO(p, " ", max_norm);
      CHECK(kept(before, theta) == short_ones);
      shortened += rows - int(short_ones.size());
      untouched += int(short_ones.size());
    }
  CHECK(shortened > 30);
  CHECK(untouched > 20);
}

TEST_CASE("the rows of tokens, and no others; padding is passed over") {
  const parameters<table_model> before = some();
  parameters<table_model> theta = before;
  renormalize<"embedded.weight">(theta, std::vector<int>{7, -1, 4, 7, 0}, 0.05);
  CHECK(kept(before, theta) == std::set<int>{1, 2, 3, 5, 6, 8});
  CHECK(double(norm_of(theta, 7, 2)) == doctest::Approx(0.05).epsilon(1e-5));
  const parameters<table_model> once = theta;
  renormalize<"embedded.weight">(theta, std::array<unsigned char, 2>{4, 7},
                                 0.1);  // they are already that short
  CHECK(kept(once, theta).size() == rows);
}

TEST_CASE("what is refused changes nothing") {
  const parameters<table_model> before = some();
  parameters<table_model> theta = before;
  CHECK_THROWS_WITH_AS(renormalize<"embedded.weight">(theta, std::vector<long>{7, 9}, 0.1),
                       "renormalize: token 9 is not a row of 'embedded.weight', which has 9", input_error);
  CHECK_THROWS_AS(renormalize<"embedded.weight">(theta, std::vector<long>{7, 1L << 40}, 0.1), input_error);
  for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(renormalize<"embedded.weight">(theta, wrong), input_error);
    CHECK_THROWS_AS(renormalize<"embedded.weight">(theta, std::vector<int>{7}, 0.1, wrong), input_error);
  }
  CHECK(kept(before, theta).size() == rows);
}

}  // namespace tenon::test
