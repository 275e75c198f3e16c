// Pooling over time: one row of a whole sequence, feature by feature, up to its length. A sequence of length 0 gives
// zeros.
//   node<"pooled", mean_over<"time">, "states">      states [time, batch, D] -> [batch, D]
#pragma once

#include "tenon/equation/language.hpp"

namespace tenon {

template <ir::text Axis = "time">
struct sum_over {
  static constexpr auto at(auto x) { return ir::sum<Axis>(x); }
};
template <ir::text Axis = "time">
struct mean_over {
  static constexpr auto at(auto x) { return ir::mean<Axis>(x); }
};
// Where several steps have the largest value, they share its gradient.
template <ir::text Axis = "time">
struct max_over {
  static constexpr auto at(auto x) { return ir::max<Axis>(x); }
};

template <ir::text Axis = "time">
struct first_over {
  static constexpr auto at(auto x) { return ir::first<Axis>(x); }
};
template <ir::text Axis = "time">
struct last_over {  // of each sequence, where it ends
  static constexpr auto at(auto x) { return ir::last<Axis>(x); }
};

}  // namespace tenon
