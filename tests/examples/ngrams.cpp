// Counting tokens, against probabilities worked out by hand.
#include "../../examples/ngram.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {

using examples::ngram_model;

TEST_CASE("one token: counts, and the same share of every kind") {
  // 0 0 1: n = 3, two different tokens of four kinds. p(0) = (2 + 2/4) / 5, p(1) = (1 + 2/4) / 5, p(3) = (2/4) / 5
  const ngram_model counted(1, 4, {0, 0, 1});
  CHECK(counted.judge({0}) == doctest::Approx(-std::log(2.5 / 5)));
  CHECK(counted.judge({1, 3}) == doctest::Approx(-(std::log(1.5 / 5) + std::log(0.5 / 5)) / 2));
}
TEST_CASE("pairs, mixed with single tokens") {
  // Single tokens of 0 1 0 2: p(0) = (2 + 3/3) / 7, p(1) = p(2) = (1 + 3/3) / 7. After 0 there were 1 and 2: p(1 | 0) = (1 + 2 * 2/7) / 4.
  const ngram_model counted(2, 3, {0, 1, 0, 2});
  CHECK(counted.judge({0, 1}) == doctest::Approx(-(std::log(3.0 / 7) + std::log((1 + 2 * 2.0 / 7) / 4)) / 2));
  // 2 was last in the text: after it nothing was seen, and single tokens decide
  CHECK(counted.judge({2, 2}) == doctest::Approx(-std::log(2.0 / 7)));
}
TEST_CASE("probabilities add up to one") {
  const ngram_model counted(3, 5, {0, 1, 2, 0, 1, 3, 0, 1, 2, 2});
  for (const std::vector<int>& before : {std::vector{0, 1}, {1, 2}, {4, 4}, {2}}) {
    double sum = 0;
    for (int token = 0; token < 5; ++token) {
      std::vector<int> text = before;
      text.push_back(token);
      sum +=
          std::exp(double(before.size()) * counted.judge(before) - double(text.size()) * counted.judge(text));
    }
    CHECK(sum == doctest::Approx(1));
  }
}
TEST_CASE("an order below one") { CHECK_THROWS_AS(ngram_model(0, 2, {1}), std::invalid_argument); }

}  // namespace tenon::test
