// How parameters start: the distributions, against their integrals and moments; orthogonal matrices, against their products.
#include <tenon/parameters/fill.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace tenon;
using namespace tenon::engine;

namespace {

// The probability of the standard normal distribution between a and b, by Simpson's rule.
double share_between(double a, double b) {
  constexpr int pieces = 2000;
  const auto density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0)); };
  const double h = (b - a) / pieces;
  double sum = density(a) + density(b);
  for (int k = 1; k < pieces; ++k) sum += density(a + k * h) * (k % 2 == 1 ? 4 : 2);
  return sum * h / 3;
}
std::vector<double> numbers(int count, const parameter_start& p, seed s = {7}, int number = 3) {
  std::vector<double> x(static_cast<std::size_t>(count), 99);
  fill_parameter(x.data(), p, number, s);
  return x;
}
parameter_start starting(int rows, int columns, const ir::initializer& start) {
  parameter_start p;
  p.rows = rows;
  p.columns = columns;
  p.start = start;
  return p;
}
double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}
double deviation_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (double v : x) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

}  // namespace

TEST_CASE("the share of a normal distribution below a number") {
  for (const double x : {-6.0, -2.5, -1.0, -0.1, 0.0, 0.3, 1.0, 3.0, 6.0})
    CHECK(normal_below(x) == doctest::Approx(share_between(-12, x)).epsilon(1e-9));
}

TEST_CASE("a cut normal distribution has the share u below its number") {
  for (const auto& [low, high] : {std::pair{-2.0, 2.0}, {-1.0, 3.0}, {0.5, 0.75}, {3.0, 9.0}, {-8.0, -4.0}})
    for (const double u : {0.001, 0.2, 0.5, 0.77, 0.999}) {
      CAPTURE(low);
      CAPTURE(u);
      const double x = cut_normal(u, low, high);
      REQUIRE(x >= low);
      REQUIRE(x <= high);
      CHECK(share_between(low, x) == doctest::Approx(u * share_between(low, high)).epsilon(1e-7));
    }
}

TEST_CASE("uniform, normal and cut numbers have the moments of their distributions") {
  constexpr int rows = 200, columns = 100, count = rows * columns;
  const double slack = 4 / std::sqrt(double(count));  // deviations of a mean
  const auto uniform = numbers(count, starting(rows, columns, {ir::initial::uniform, 0.5}));
  CHECK(*std::max_element(uniform.begin(), uniform.end()) <= 0.5);
  CHECK(*std::min_element(uniform.begin(), uniform.end()) >= -0.5);
  CHECK(std::abs(mean_of(uniform)) < 0.3 * slack);
  CHECK(deviation_of(uniform) == doctest::Approx(0.5 / std::sqrt(3.0)).epsilon(slack));
  const auto normal = numbers(count, starting(rows, columns, {ir::initial::normal, 0.25}));
  CHECK(std::abs(mean_of(normal)) < 0.25 * slack);
  CHECK(deviation_of(normal) == doctest::Approx(0.25).epsilon(slack));
  int within = 0;  // one deviation
  for (double x : normal) within += std::abs(x) < 0.25;
  CHECK(double(within) / count == doctest::Approx(share_between(-1, 1)).epsilon(slack));
}

TEST_CASE("an orthogonal matrix has orthonormal rows or columns, whichever are fewer") {
  for (const auto& [rows, columns] : {std::pair{5, 5}, {3, 8}, {8, 3}, {1, 4}, {33, 17}}) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto x = numbers(rows * columns, starting(rows, columns, {ir::initial::orthogonal, 2}));
    const bool by_rows = rows <= columns;
    const int count = by_rows ? rows : columns, length = by_rows ? columns : rows;
    const auto at = [&](int vector, int k) {
      return x[static_cast<std::size_t>(by_rows ? vector * columns + k : k * columns + vector)];
    };
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < count; ++b) {
        double product = 0;
        for (int k = 0; k < length; ++k) product += at(a, k) * at(b, k);
        CHECK(product == doctest::Approx(a == b ? 4 : 0).epsilon(1e-12));  // a gain of 2
      }
  }
}

TEST_CASE("a number depends on the seed, the parameter and its place, and on nothing else") {
  const auto start = starting(9, 7, {ir::initial::normal, 1});
  const auto x = numbers(63, start);
  CHECK(x == numbers(63, start));
  CHECK(x != numbers(63, start, {8}));
  CHECK(x != numbers(63, start, {7}, 4));
  const auto fewer = numbers(28, starting(4, 7, {ir::initial::normal, 1}));  // the first rows of more
  CHECK(std::equal(fewer.begin(), fewer.end(), x.begin()));
  std::vector<double> sorted = x;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  // In float they are the same, rounded.
  std::vector<float> single(63);
  fill_parameter(single.data(), start, 3, seed{7});
  for (std::size_t k = 0; k < 63; ++k) CHECK(single[k] == static_cast<float>(x[k]));
}

TEST_CASE("rows apart and the row of padding") {
  auto start = starting(6, 3, {ir::initial::constant, 0.5});
  start.apart = {.first = 2, .count = 2, .start = {ir::initial::constant, -1}};
  start.padding = 5;
  const auto x = numbers(18, start);
  for (int k = 0; k < 18; ++k)
    CHECK(x[static_cast<std::size_t>(k)] == (k / 3 == 5 ? 0 : k / 3 == 2 || k / 3 == 3 ? -1 : 0.5));
}
