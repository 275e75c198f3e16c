// Functions of equations called with the wrong number of values, such as tanh(x, h): refused with a message, like all
// other mistakes in equations. Without these overloads a compiler lists all candidates.
#pragma once

#include "tenon/equation/axes.hpp"

namespace tenon::inline v0_1::ir {

namespace detail {
// The result type of a call with the wrong number of values; no type for a correct call.
template <int Values, class... A>
using of_wrong_count = std::enable_if_t<sizeof...(A) != Values && (... || Traced<A>), value>;

template <class... A>
constexpr value refuse_count(characters function, int values, const sentence& fix, A... arguments) {
  tape& t = *tape_of(arguments...);
  t.fail({.rule = sentence(function).append(" takes"),
          .axis = "values",
          .expected = values,
          .got = int(sizeof...(A)),
          .fix = fix});
  return {&t, t.constant(0)};
}
constexpr value refuse_more_than_one(characters function, auto... arguments) {
  sentence fix = "write one: ";
  fix.append(function).append("(a + b), ").append(function).append("(concat(a, b))");
  return refuse_count(function, 1, fix, arguments...);
}
constexpr value refuse_dimension(characters function, auto... arguments) {
  return refuse_count(
      function, 1,
      sentence("it goes over the features; along a sequence write ").append(function).append("<\"time\">(x)"),
      arguments...);
}
constexpr value refuse_pair(characters function, auto... arguments) {
  return refuse_count(function, 2, sentence("write ").append(function).append("(a, b)"), arguments...);
}
}  // namespace detail

#define TENON_REFUSED_COUNT(values, function, ...)                          \
  template <class... A>                                                     \
  constexpr detail::of_wrong_count<values, A...> function(A... arguments) { \
    return detail::__VA_ARGS__;                                             \
  }
#define TENON_OF_ONE(function) TENON_REFUSED_COUNT(1, function, refuse_more_than_one(#function, arguments...))
#define TENON_OVER_FEATURES(function) \
  TENON_REFUSED_COUNT(1, function, refuse_dimension(#function, arguments...))
#define TENON_OF_TWO(function) TENON_REFUSED_COUNT(2, function, refuse_pair(#function, arguments...))
// clang-format off
TENON_OF_ONE(exp) TENON_OF_ONE(log) TENON_OF_ONE(sqrt) TENON_OF_ONE(abs) TENON_OF_ONE(sign) TENON_OF_ONE(square)
TENON_OF_ONE(sin) TENON_OF_ONE(cos) TENON_OF_ONE(sigmoid) TENON_OF_ONE(tanh) TENON_OF_ONE(relu) TENON_OF_ONE(softplus)
TENON_OF_ONE(erf) TENON_OF_ONE(gelu) TENON_OF_ONE(stop_gradient)
TENON_OVER_FEATURES(sum) TENON_OVER_FEATURES(mean) TENON_OVER_FEATURES(softmax) TENON_OVER_FEATURES(log_softmax)
TENON_OF_TWO(max) TENON_OF_TWO(min) TENON_OF_TWO(greater) TENON_OF_TWO(equal) TENON_OF_TWO(dot)
TENON_REFUSED_COUNT(1, argmax, refuse_count("argmax", 1, "it goes over the features: argmax(x)", arguments...))
TENON_REFUSED_COUNT(2, pick, refuse_count("pick", 2, "write pick(a, token)", arguments...))
TENON_REFUSED_COUNT(2, one_hot, refuse_count("one_hot", 2, "write one_hot<10>(token), or one_hot(token, like)", arguments...))
TENON_REFUSED_COUNT(2, masked, refuse_count("masked", 2, "write masked(scores, is_hidden)", arguments...))
TENON_REFUSED_COUNT(3, select, refuse_count("select", 3, "write select(condition, yes, no)", arguments...))
// clang-format on
#undef TENON_OF_TWO
#undef TENON_OVER_FEATURES
#undef TENON_OF_ONE
#undef TENON_REFUSED_COUNT

}  // namespace tenon::inline v0_1::ir
