// Numbers drawn by weights: how often, never those without weight, one word of the stream for each.
#include "tenon/data/alias_table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace tenon;

namespace {

// How often each number is drawn, of n draws.
std::vector<long> counts(const std::vector<double>& weights, long n) {
  const alias_table table(weights);
  CHECK(table.size() == static_cast<int>(weights.size()));
  backend::random_stream random(7, 1);
  std::vector<long> all(weights.size());
  for (long k = 0; k < n; ++k) ++all[static_cast<std::size_t>(table.draw(random))];
  return all;
}
std::string refusal(const std::vector<double>& weights) {
  try {
    alias_table{weights};
  } catch (const input_error& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("each number is drawn in proportion to its weight") {
  constexpr long n = 200'000;
  for (const std::vector<double>& weights : {std::vector<double>{1, 2, 3, 4},
                                             {1000, 1, 1, 1, 1, 1, 1},
                                             {0.25},
                                             {5, 5, 5},
                                             {0, 1, 0, 3, 0},
                                             {1e-9, 1e9, 1e9}}) {
    double total = 0;
    for (double w : weights) total += w;
    const std::vector<long> drawn = counts(weights, n);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      CAPTURE(k);
      const double p = weights[k] / total, deviation = std::sqrt(n * p * (1 - p));
      CHECK(std::abs(static_cast<double>(drawn[k]) - n * p) <= 5 * deviation + 1e-9);
      if (weights[k] == 0) CHECK(drawn[k] == 0);
    }
  }
}

TEST_CASE("many weights of a word list: count^0.75") {
  std::vector<double> weights;
  for (int k = 1; k <= 5000; ++k) weights.push_back(std::pow(1e6 / k, 0.75));
  double total = 0, chi_square = 0;
  for (double w : weights) total += w;
  constexpr long n = 1'000'000;
  const std::vector<long> drawn = counts(weights, n);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double expected = n * weights[k] / total;
    chi_square +=
        (static_cast<double>(drawn[k]) - expected) * (static_cast<double>(drawn[k]) - expected) / expected;
  }
  CHECK(std::abs(chi_square - 4999) < 5 * std::sqrt(2 * 4999.0));
}

TEST_CASE("a draw takes one word of the stream") {
  const alias_table table({3, 1, 2});
  backend::random_stream drawn(5, 0), counted(5, 0);
  for (int k = 0; k < 10; ++k) {
    table.draw(drawn);
    counted.word();
  }
  CHECK(drawn.word() == counted.word());
}

TEST_CASE("weights that are none are refused with their place") {
  CHECK(refusal({}) == "alias_table: expected weights with a finite sum above 0, got 0 with the sum 0");
  CHECK(refusal({0, 0}) == "alias_table: expected weights with a finite sum above 0, got 2 with the sum 0");
  CHECK(refusal({1, -2}) == "alias_table: weight 1: expected a finite number of at least 0, got -2");
  CHECK(refusal({std::numeric_limits<double>::quiet_NaN()}) ==
        "alias_table: weight 0: expected a finite number of at least 0, got nan");
  CHECK(refusal({1, std::numeric_limits<double>::infinity()}) ==
        "alias_table: weight 1: expected a finite number of at least 0, got inf");
}
