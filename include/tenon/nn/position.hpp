// learned_positions<Bound, ..>: adds a learned vector for each place to the steps of a sequence (Gehring et al. 2017;
// Vaswani et al. 2017 compare it with sines): y_t = x_t + weight e_t. [time, D] to [time, D]; Bound is at least the most
// steps that the sequence can have, or the places of the grid. Parameter: weight [D, Bound] (PyTorch's embedding of positions, transposed), which starts normal with
// deviation 0.02.
// Options: those of its parameter, initialized<"weight", start> and frozen.
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/nn/linear.hpp"

#include <numbers>

namespace tenon::inline v0_1 {

namespace detail {
template <int Bound>
struct learned_place : equations::symbols {
  static constexpr auto at(auto x) {
    return x + matrix<"weight">(ir::one_hot<Bound>(position_of(x, along(x))));
  }
};
// 10000^(-2 i / D) for i = 0 .. D / 2 - 1, as an equation.
template <int D>
constexpr auto frequencies(auto like) {
  constexpr double log_of_10000 = 4 * std::numbers::ln10;
  ir::tape& t = *like.on;
  return exp(ir::value{&t, t.own(ir::own_input::count, D / 2)} * (-2 * log_of_10000 / D));
}
template <int D>
struct sine_of_place {
  static constexpr auto at(auto x) {
    const auto angle = position_of(x, along(x)) * frequencies<D>(x);
    return x + concat(sin(angle), cos(angle));
  }
};
}  // namespace detail

namespace nn {

template <int Bound, class... Options>
struct learned_positions {
  static constexpr int build(builder& b, const edges& in) {
    constexpr auto options = detail::read_options<Options...>(detail::options_of_parameters{});
    if (!detail::accept_options(b, options, "learned_positions")) return -1;
    if (!b.require_inputs(in, 1, 1, "learned_positions", "name one source")) return -1;
    if constexpr (Bound <= 0) {
      return b.fail({.rule = "learned_positions needs a positive bound",
                     .fix = "write the most steps: learned_positions<40>"});
    } else {
      if (!b.require_numbers(in[0], "learned_positions") || !b.require_sequence(in[0], "learned_positions"))
        return -1;
      ir::time_axis& axis = b.net.axes[b[in[0]].axis];
      if (axis.bound > Bound)
        return b.fail({.rule = "learned_positions expects at most",
                       .axis = axis.is_grid() ? "places" : "steps",
                       .expected = Bound,
                       .got = axis.bound,
                       .source = b[in[0]].path,
                       .fix = ir::sentence("write learned_positions<").append(axis.bound).append(">")});
      if (axis.most_steps == 0 || axis.most_steps > Bound) axis.most_steps = Bound;
      return b.apply(ir::tracer_of<detail::learned_place<Bound>>, ir::sizes{b[in[0]].size}, b.axes_of(in), in,
                     {}, {ir::initial::normal, 0.02});
    }
  }
};

// sinusoidal_positions<D>: adds sines of the place to each step of a sequence (Vaswani et al. 2017): the sines of
// t 10000^(-2 i / D) for i = 0 .. D / 2 - 1, then the cosines (the paper interleaves them; the features are the same).
// [time, D] to [time, D]; D is even. It learns nothing, and has no bound.
template <int D, class... Options>
struct sinusoidal_positions {
  static constexpr int build(builder& b, const edges& in) {
    if (!b.accept(detail::unfit_no_options<Options...>("sinusoidal_positions"))) return -1;
    if (!b.require_inputs(in, 1, 1, "sinusoidal_positions", "name one source")) return -1;
    if constexpr (D < 4 || D % 2 != 0) {
      return b.fail({.rule = "sinusoidal_positions needs an even number of features, 4 at least",
                     .fix = "write sinusoidal_positions<64>"});
    } else {
      if (!b.require_numbers(in[0], "sinusoidal_positions") ||
          !b.require_sequence(in[0], "sinusoidal_positions") ||
          !b.require_size(in[0], D, "sinusoidal_positions",
                          "write the number of features that its source has"))
        return -1;
      return b.apply(ir::tracer_of<detail::sine_of_place<D>>, ir::sizes{D}, b.axes_of(in), in, {}, {});
    }
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
