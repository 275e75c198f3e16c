// Early stopping: when it ends a training.
#include "tenon/train/early_stopping.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {

// How many of these losses are looked at before the training ends.
std::size_t epochs_of(const early_stopping& options, const std::vector<double>& losses) {
  engine::stopping_rule rule(options);
  std::size_t seen = 0;
  for (double loss : losses) {
    rule.look_at(loss), ++seen;
    if (!rule.continues()) break;
  }
  return seen;
}
const double nan = std::nan("");

TEST_CASE("the patience-th epoch in a row without improvement is the last") {
  CHECK(epochs_of({.patience = 2}, {3, 2, 2, 1, 1.5, 1, 0, 0}) == 6);
  CHECK(epochs_of({.patience = 1}, {3, 2, 2, 1, 1}) == 3);
  CHECK(epochs_of({.patience = 3}, {3, 3, 3, 2, 2, 2, 1, 1, 1}) == 9);  // it never waits for three
  CHECK(epochs_of({}, {1, 1, 1, 1, 1, 1, 1}) == 6);
}
TEST_CASE("less than the least improvement is none, and the best stays") {
  CHECK(epochs_of({.patience = 2, .min_delta = 0.5}, {3, 2.75, 2.5, 2.25}) == 3);
  CHECK(epochs_of({.patience = 2, .min_delta = 0.5}, {3, 2.75, 2.25, 2, 1.5}) == 5);
}
TEST_CASE("a loss that is not a number is no better, and the next that is one is") {
  CHECK(epochs_of({.patience = 2}, {nan, nan, 1}) == 2);
  CHECK(epochs_of({.patience = 3}, {nan, nan, 1, 2, nan, 3, 0}) == 6);
}
TEST_CASE("a patience below 1 and a negative least improvement are errors") {
  const auto refused = [](const early_stopping& options, const char* message) {
    CHECK_THROWS_WITH_AS(engine::stopping_rule{options}, message, input_error);
  };
  refused({.patience = 0}, "early_stopping: expected a patience of at least 1, got 0");
  refused({.min_delta = -0.5}, "early_stopping: expected a finite min_delta of at least 0, got -0.500000");
  refused({.min_delta = nan}, "early_stopping: expected a finite min_delta of at least 0, got nan");
  refused({.min_delta = std::numeric_limits<double>::infinity()},
          "early_stopping: expected a finite min_delta of at least 0, got inf");
}

}  // namespace tenon::test
