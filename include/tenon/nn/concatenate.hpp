// concatenate: sources side by side, the features of the first, then those of the second, ..; a row
// beside a sequence is repeated at each of its steps. node<"both", concatenate, "words", "weather">:
// [time?, A], [time?, B] to [time?, A + B].
#pragma once

#include "tenon/graph/layer.hpp"

#include <concepts>

namespace tenon::inline v0_1 {

namespace detail {
template <int Sources>
struct side_by_side {
  static constexpr auto at(std::same_as<ir::value> auto... x) requires(sizeof...(x) == Sources) {
    return concat(x...);
  }
};
}  // namespace detail

namespace nn {

struct concatenate {
  // A template, so that a program that does not use it does not compile it.
  static constexpr int build(std::same_as<builder> auto& b, const edges& in) {
    if (!b.require_inputs(in, 2, ir::max_sources, "concatenate", "name two sources or more")) return -1;
    edges left = in;
    while (b.ok() && left.size > 1) {  // up to four at once
      const int some = left.size < 4 ? left.size : 4;
      edges joined, rest;
      for (int k = 0; k < left.size; ++k) (k < some ? joined : rest).add(left[k]);
      left = {some == 2   ? ir::build<detail::side_by_side<2>>(b, joined)
              : some == 3 ? ir::build<detail::side_by_side<3>>(b, joined)
                          : ir::build<detail::side_by_side<4>>(b, joined)};
      for (int e : rest) left.add(e);
    }
    return b.ok() ? left[0] : -1;
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
