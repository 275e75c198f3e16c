// The messages of a training that cannot continue.
#include <tenon/train/trainer/training_error.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <type_traits>

using namespace tenon;

static_assert(std::is_base_of_v<std::runtime_error, training_error>);

TEST_CASE("what is not finite, at which step, and where") {
  constexpr double infinity = std::numeric_limits<double>::infinity(),
                   no_number = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH_AS(engine::fail_not_finite("the loss", infinity, 3, ""), "the loss is inf at step 3",
                       training_error);
  CHECK_THROWS_WITH_AS(engine::fail_not_finite("the loss", -infinity, 1, "; in 'x'"),
                       "the loss is -inf at step 1; in 'x'", training_error);
  for (const double number : {no_number, -no_number})  // either sign
    CHECK_THROWS_WITH_AS(engine::fail_not_finite("the norm of the gradients", number, 1234567890123, ""),
                         "the norm of the gradients is nan at step 1234567890123", training_error);
}
