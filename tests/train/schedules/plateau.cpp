// The learning rate that is lowered on a plateau, epoch by epoch against lists written out by hand.
#include "tenon/train/schedules/plateau.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace tenon::test {

using rates = std::vector<double>;

// The rates that follow from the losses of the epochs, one after the other; each epoch has three steps.
rates plateau_rates(double rate, const schedules::plateau_options& options,
                    const std::vector<double>& losses) {
  const schedules::schedule plateau = schedules::reduce_on_plateau(rate, options);
  CHECK(plateau({.starts_epoch = true}) == rate);  // the first epoch has no earlier loss
  rates seen;
  for (int epoch = 1; epoch <= static_cast<int>(losses.size()); ++epoch) {
    const double loss = losses[static_cast<std::size_t>(epoch) - 1];
    seen.push_back(plateau({.epoch = epoch, .loss = loss, .starts_epoch = true}));
    for (int k = 0; k < 2; ++k) CHECK(plateau({.epoch = epoch, .loss = loss}) == seen.back());
  }
  return seen;
}
TEST_CASE("the rate falls when more losses than the patience allows are no better") {
  CHECK(plateau_rates(8, {.factor = 0.5, .patience = 2}, {5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4}) ==
        rates{8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1});
  CHECK(plateau_rates(8, {.factor = 0.5, .patience = 0}, {3, 2, 2.5, 1.5, 1.6}) == rates{8, 8, 4, 4, 2});
}
TEST_CASE("an improvement below the threshold is none") {
  CHECK(plateau_rates(8, {.factor = 0.5, .patience = 0, .threshold = 0.1}, {10, 9.5, 8.9, 8.1, 8}) ==
        rates{8, 4, 4, 2, 2});
}
TEST_CASE("of negative losses, too, a better one is lower by more than the threshold") {
  CHECK(plateau_rates(8, {.factor = 0.5, .patience = 0, .threshold = 0.1}, {-10, -10, -10.5, -11.5, -9.5}) ==
        rates{8, 4, 2, 2, 1});
  CHECK(plateau_rates(8, {.factor = 0.5, .patience = 0, .threshold = 0.1}, {1, -1, -1.05, 0}) ==
        rates{8, 8, 4, 2});
}
TEST_CASE("losses of the cooldown count for nothing, a better one is remembered") {
  CHECK(plateau_rates(8, {.factor = 0.5, .patience = 1, .cooldown = 2}, {5, 5, 5, 5, 5, 5, 5}) ==
        rates{8, 8, 4, 4, 4, 4, 2});
  CHECK(plateau_rates(8, {.factor = 0.5, .patience = 0, .cooldown = 1}, {5, 5, 3, 4}) == rates{8, 4, 4, 2});
}
TEST_CASE("the rate does not fall below its least, nor by next to nothing") {
  const rates lowered = plateau_rates(8, {.factor = 0.1, .patience = 0, .min_rate = 0.5}, {1, 1, 1, 1}),
              expected{8, 0.8, 0.5, 0.5};
  REQUIRE(lowered.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) CHECK(lowered[k] == doctest::Approx(expected[k]).epsilon(1e-12));
  CHECK(plateau_rates(1.5e-8, {.factor = 0.5, .patience = 0}, {1, 1}) == rates{1.5e-8, 1.5e-8});
}
TEST_CASE("a loss that is not a number is no better") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(plateau_rates(8, {.factor = 0.5, .patience = 1}, {5, nan, nan, 4}) == rates{8, 8, 4, 4});
  CHECK(plateau_rates(8, {.factor = 0.5, .patience = 1}, {nan, 3, 3, 3}) == rates{8, 8, 8, 4});
}
TEST_CASE("a copy of a plateau forgets nothing and shares nothing") {
  const schedules::schedule first =
      schedules::warm_up(0, schedules::reduce_on_plateau(8, {.factor = 0.5, .patience = 0}));
  const auto after = [](const schedules::schedule& schedule, int epoch) {
    return schedule({.epoch = epoch, .loss = 1, .starts_epoch = true});
  };
  CHECK(after(first, 1) == 8);
  const schedules::schedule second = first;
  CHECK(after(first, 2) == 4);
  CHECK(after(first, 3) == 2);
  CHECK(after(second, 2) == 4);
}

TEST_CASE("options of a plateau that mean nothing are errors") {
  const auto refused = [](auto call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, input_error);
  };
  refused([] { schedules::reduce_on_plateau(-1); },
          "reduce_on_plateau: expected a rate of at least 0, got -1");
  const auto plateau = [&](const schedules::plateau_options& options, const char* message) {
    refused([&] { schedules::reduce_on_plateau(1, options); }, message);
  };
  plateau({.factor = 1}, "reduce_on_plateau: expected a factor between 0 and 1, got 1");
  plateau({.factor = 0}, "reduce_on_plateau: expected a factor between 0 and 1, got 0");
  plateau({.patience = -1}, "reduce_on_plateau: expected a patience of at least 0, got -1");
  plateau({.threshold = 1.5}, "reduce_on_plateau: expected a threshold of at least 0 and below 1, got 1.5");
  plateau({.cooldown = -20}, "reduce_on_plateau: expected a cooldown of at least 0, got -20");
  plateau({.min_rate = -1}, "reduce_on_plateau: expected a min_rate of at least 0, got -1");
}

}  // namespace tenon::test
