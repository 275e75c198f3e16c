// The bodies of rule_numbers.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::engine {

[[gnu::noinline]] TENON_INLINE void refuse_rate(double rate) {
  throw input_error("learning_rate: expected a finite number, not below 0, got " +
                    (std::isnan(rate) ? "nan" : tenon::detail::fixed(rate)));
}

[[gnu::noinline]] TENON_INLINE void refuse_number(characters rule) {
  tenon::detail::throw_input_error(
      {"update rule '", rule, "': a number that it computes with is not finite; look at what it was given"});
}

}  // namespace tenon::inline v0_1::engine
