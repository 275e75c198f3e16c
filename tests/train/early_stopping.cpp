// Early stopping: when it ends a training, and which epoch was the best.
#include "tenon/train/early_stopping.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {

TEST_CASE("the patience-th epoch in a row without improvement is the last") {
  early_stopping patience(2);
  CHECK(patience.best_epoch() == 0);
  CHECK(!patience.improved());
  const double losses[]{3, 2, 2, 1, 1.5};
  const bool better[]{true, true, false, true, false};
  for (int k = 0; k < 5; ++k) {
    CHECK(patience.go_on(losses[k]));
    CHECK(patience.improved() == better[k]);
  }
  CHECK(patience.waited() == 1);
  CHECK(!patience.go_on(1));
  CHECK(patience.best() == 1);
  CHECK(patience.best_epoch() == 4);
  CHECK(patience.waited() == 2);
}

TEST_CASE("less than the least improvement is none, and the best stays") {
  early_stopping patience(3, 0.5);
  CHECK(patience.go_on(3));
  CHECK(patience.go_on(2.75));
  CHECK(!patience.improved());
  CHECK(patience.best() == 3);
  CHECK(patience.go_on(2.25));
  CHECK(patience.improved());
}

TEST_CASE("a loss that is not a number is no better") {
  early_stopping patience(2);
  CHECK(patience.go_on(std::numeric_limits<double>::quiet_NaN()));
  CHECK(!patience.improved());
  CHECK(!patience.go_on(std::numeric_limits<double>::quiet_NaN()));
  CHECK(patience.best_epoch() == 0);
}

TEST_CASE("a patience below 1 is an error") {
  CHECK_THROWS_WITH_AS(early_stopping(0), "early_stopping: expected a patience of at least 1, got 0",
                       input_error);
}

}  // namespace tenon::test
