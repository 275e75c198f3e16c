// Learning rates over time, each against values worked out by hand.
#include "tenon/train/rate.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace tenon::test {

TEST_CASE("cosine falls along half a wave and stays at zero") {
  const double expected[]{2, 1 + 0.5 * 1.7320508075688772, 1.5, 1, 0.5, 1 - 0.5 * 1.7320508075688772, 0, 0};
  for (int k = 0; k < 8; ++k) CHECK(cosine(2, k, 6) == doctest::Approx(expected[k]).epsilon(1e-12));
  CHECK(cosine(2, 6, 6) == 0);
  CHECK(cosine(2, 0, 0) == 0);
}

TEST_CASE("step decay halves every period, or takes another factor") {
  const double halved[]{8, 8, 8, 4, 4, 4, 2};
  for (int k = 0; k < 7; ++k) CHECK(step_decay(8, k, 3) == halved[k]);
  const double tenth[]{8, 0.8, 0.08};
  for (int k = 0; k < 3; ++k) CHECK(step_decay(8, k, 1, 0.1) == doctest::Approx(tenth[k]).epsilon(1e-12));
}

TEST_CASE("exponential multiplies each time") {
  const double expected[]{3, 2.7, 2.43, 2.187};
  for (int k = 0; k < 4; ++k) CHECK(exponential(3, k, 0.9) == doctest::Approx(expected[k]).epsilon(1e-12));
}

TEST_CASE("warm-up climbs to the rate and stays") {
  const double expected[]{0.5, 1, 1.5, 2, 2, 2};
  for (int k = 0; k < 6; ++k) CHECK(warm_up(2, k, 4) == expected[k]);
  CHECK(warm_up(2, 0, 0) == 2);
}

TEST_CASE("arguments that mean nothing are errors") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, input_error);
  };
  refused([] { step_decay(1, 3, 0); }, "step_decay: expected a period of at least 1, got 0");
  refused([] { step_decay(1, 3, -2); }, "step_decay: expected a period of at least 1, got -2");
  refused([] { step_decay(1, -1, 2); }, "step_decay: expected `done` of at least 0, got -1");
  refused([] { step_decay(1, 1, 2, 0); }, "step_decay: expected a factor above 0, got 0");
  refused([&] { step_decay(1, 1, 2, nan); }, "step_decay: expected a factor above 0, got nan");
  refused([] { cosine(1, -1, 5); }, "cosine: expected `done` of at least 0, got -1");
  refused([] { cosine(1, 0, -5); }, "cosine: expected a total of at least 0, got -5");
  refused([] { exponential(1, -1, 0.5); }, "exponential: expected `done` of at least 0, got -1");
  refused([] { exponential(1, 1, -0.5); }, "exponential: expected a factor above 0, got -0.5");
  refused([] { warm_up(1, -1, 5); }, "warm_up: expected `done` of at least 0, got -1");
  refused([] { warm_up(1, 1, -5); }, "warm_up: expected a period of at least 0, got -5");
  const auto plateau = [&](const plateau_options& options, const char* message) {
    refused([&] { reduce_on_plateau made(options); }, message);
  };
  plateau({.factor = 1}, "reduce_on_plateau: expected a factor between 0 and 1, got 1");
  plateau({.factor = 0}, "reduce_on_plateau: expected a factor between 0 and 1, got 0");
  plateau({.patience = -1}, "reduce_on_plateau: expected a patience of at least 0, got -1");
  plateau({.threshold = 1.5}, "reduce_on_plateau: expected a threshold of at least 0 and below 1, got 1.5");
  plateau({.cooldown = -20}, "reduce_on_plateau: expected a cooldown of at least 0, got -20");
  plateau({.min_rate = -1}, "reduce_on_plateau: expected a min_rate of at least 0, got -1");
}

// The rates that follow from losses, one after the other.
std::vector<double> rates(const plateau_options& options, double rate, const std::vector<double>& losses) {
  reduce_on_plateau plateau(options);
  std::vector<double> seen;
  for (double loss : losses) seen.push_back(rate = plateau(rate, loss));
  return seen;
}

TEST_CASE("the rate falls when more losses than the patience allows are no better") {
  CHECK(rates({.factor = 0.5, .patience = 2}, 8, {5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4}) ==
        std::vector<double>{8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1});
  CHECK(rates({.factor = 0.5, .patience = 0}, 8, {3, 2, 2.5, 1.5, 1.6}) ==
        std::vector<double>{8, 8, 4, 4, 2});
}
TEST_CASE("an improvement below the threshold is none") {
  CHECK(rates({.factor = 0.5, .patience = 0, .threshold = 0.1}, 8, {10, 9.5, 8.9, 8.1, 8}) ==
        std::vector<double>{8, 4, 4, 2, 2});
}
TEST_CASE("losses of the cooldown count for nothing, a better one is remembered") {
  CHECK(rates({.factor = 0.5, .patience = 1, .cooldown = 2}, 8, {5, 5, 5, 5, 5, 5, 5}) ==
        std::vector<double>{8, 8, 4, 4, 4, 4, 2});
  CHECK(rates({.factor = 0.5, .patience = 0, .cooldown = 1}, 8, {5, 5, 3, 4}) ==
        std::vector<double>{8, 4, 4, 2});
}
TEST_CASE("the rate does not fall below its least, nor by next to nothing") {
  CHECK(rates({.factor = 0.1, .patience = 0, .min_rate = 0.5}, 8, {1, 1, 1, 1}) ==
        std::vector<double>{8, 0.8, 0.5, 0.5});
  CHECK(rates({.factor = 0.5, .patience = 0}, 1.5e-8, {1, 1}) == std::vector<double>{1.5e-8, 1.5e-8});
}
TEST_CASE("a loss that is not a number is no better") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(rates({.factor = 0.5, .patience = 1}, 8, {5, nan, nan, 4}) == std::vector<double>{8, 8, 4, 4});
  reduce_on_plateau plateau;
  plateau(1, nan);
  CHECK(plateau.best() == std::numeric_limits<double>::infinity());
  plateau(1, 3);
  CHECK(plateau.best() == 3);
}

}  // namespace tenon::test
