// The numbers of an update rule: which are refused, and the messages.
#include <tenon/train/optimizers/rule_numbers.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace tenon;
using namespace tenon::engine;

struct my_rule {};

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a rate is finite and not below 0") {
  for (const double rate : {0.0, -0.0, 1e-300, 0.5, 1e308}) CHECK_NOTHROW(check_rate(rate));
  CHECK_THROWS_WITH_AS(check_rate(-0.25),
                       "learning_rate: expected a finite number, not below 0, got -0.250000", input_error);
  CHECK_THROWS_WITH_AS(check_rate(infinity), "learning_rate: expected a finite number, not below 0, got inf",
                       input_error);
  // "nan" for either sign
  for (const double rate : {no_number, -no_number})
    CHECK_THROWS_WITH_AS(check_rate(rate), "learning_rate: expected a finite number, not below 0, got nan",
                         input_error);
}

TEST_CASE("a number must be finite in the type of the weights") {
  const char* const said =
      "update rule 'my_rule': a number that it computes with is not finite; look at what it was given";
  CHECK(finite_number<my_rule, double>(-1e300) == -1e300);
  CHECK(finite_number<my_rule, float>(0.1) == 0.1f);
  CHECK(finite_number<my_rule, float>(-3.4e38) == -3.4e38f);
  CHECK_THROWS_WITH_AS((finite_number<my_rule, float>(1e39)), said, input_error);  // inf as a float
  CHECK_THROWS_WITH_AS((finite_number<my_rule, float>(-1e39)), said, input_error);
  for (const double number : {infinity, -infinity, no_number}) {
    CHECK_THROWS_WITH_AS((finite_number<my_rule, double>(number)), said, input_error);
    CHECK_THROWS_WITH_AS((finite_number<my_rule, float>(number)), said, input_error);
  }
}
