// Checks the numbers of an update rule, so that weights stay finite after an update. A wrong number is an input_error.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/meta/type_name.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace tenon::inline v0_1::engine {

[[noreturn, gnu::cold]] void refuse_rate(double rate);
inline void check_rate(double rate) {
  if (!(rate >= 0 && rate <= std::numeric_limits<double>::max())) refuse_rate(rate);
}
[[noreturn, gnu::cold]] void refuse_number(characters rule);
// A number of an update. One that is not finite as a T would make all weights after it so.
template <class Rule, class T>
T finite_number(double number) {
  if (!(std::abs(number) <= static_cast<double>(std::numeric_limits<T>::max())))
    refuse_number(type_name<Rule>().view());
  return static_cast<T>(number);
}

// A number that keeps a divisor above 0. One below the least normal number of T counts as 0, and 0 / 0 would make weights
// not-a-number.
template <class Rule, class T>
void check_epsilon(double number) {
  constexpr double least = static_cast<double>(std::numeric_limits<T>::min());
  if (number >= least) return;
  tenon::detail::throw_input_error({"update rule '", type_name<Rule>().view(), "': epsilon: expected ",
                                    tenon::detail::general(least, 3), " or more in each step, got ",
                                    tenon::detail::general(number, 3)});
}

}  // namespace tenon::inline v0_1::engine

#ifndef TENON_COMPILED
#  include "tenon/train/optimizers/rule_numbers.ipp"
#endif
