// learned_positions<Bound>: a sequence, and at each step what is learned for its place (Gehring et al. 2017; Vaswani et al.
// 2017 compare it with sines): y_t = x_t + weight e_t. [time, D] to [time, D]; steps from Bound on get nothing. Parameter:
// weight [D, Bound] (PyTorch's embedding of positions, transposed), which starts normal with deviation 0.02.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon {

namespace detail {
template <int Bound>
struct learned_place {
  static constexpr auto at(auto x) {
    return x + equations::matrix<"weight">(ir::one_hot<Bound>(position_of(x, along(x))));
  }
};
}  // namespace detail

template <int Bound>
struct learned_positions {
  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "learned_positions", "name one source")) return -1;
    if constexpr (Bound <= 0) {
      return b.fail({.rule = "learned_positions needs a positive bound",
                     .fix = "write the most steps: learned_positions<40>"});
    } else {
      if (!b.require_numbers(in[0], "learned_positions") || !b.require_sequence(in[0], "learned_positions"))
        return -1;
      return b.apply(ir::trace_at<detail::learned_place<Bound>>(ir::sizes{b[in[0]].size}, b.axes_of(in)), in,
                     {}, {initial::normal, 0.02});
    }
  }
};

}  // namespace tenon
