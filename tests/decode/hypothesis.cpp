// The divisor of a log probability, against the formulas of the papers.
#include <tenon/decode/hypothesis.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace tenon;

TEST_CASE("no normalisation divides by 1, by_length by the tokens to the alpha") {
  for (int length = 1; length <= 40; ++length) {
    CAPTURE(length);
    CHECK(decoding::no_normalization(length) == 1);
    CHECK(decoding::by_length()(length) == doctest::Approx(length).epsilon(1e-14));
    CHECK(decoding::by_length(0.5)(length) == doctest::Approx(std::sqrt(double(length))).epsilon(1e-14));
    CHECK(decoding::by_length(0)(length) == 1);
  }
}

// lp(Y) = (5 + |Y|)^alpha / (5 + 1)^alpha
TEST_CASE("wu_2016 is equation 14, 1 for a single token") {
  for (const double alpha : {0.0, 0.2, 0.6, 1.0, 1.5})
    for (int length = 1; length <= 40; ++length) {
      CAPTURE(alpha);
      CAPTURE(length);
      const double expected = std::exp(alpha * (std::log(5.0 + length) - std::log(6.0)));
      CHECK(decoding::wu_2016(alpha)(length) == doctest::Approx(expected).epsilon(1e-13));
    }
  CHECK(decoding::wu_2016()(1) == 1);
  CHECK(decoding::wu_2016()(25) == doctest::Approx(std::pow(5, 0.6)).epsilon(1e-13));
}

TEST_CASE("what a search does that is told nothing, and a hypothesis of nothing") {
  constexpr decoding::beam_search_options options{.normalization = decoding::by_length()};
  CHECK(options.start == -1);
  CHECK(options.end == -1);
  CHECK(options.best <= options.width);
  CHECK(options.normalization(9) == doctest::Approx(9).epsilon(1e-14));
  const decoding::hypothesis<float> none{};
  CHECK(none.tokens.empty());
  CHECK_FALSE(none.has_ended);
}
