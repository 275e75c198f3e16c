// cell_step<Cell, hidden<H>, ..>: a single step of a cell, for a loop that you write yourself (PyTorch's
// LSTMCell, GRUCell). Sources: x [In], each state of the cell [H], then the further values that its step takes.
// Output: the cell's output, and its next states as node.h_n, node.c_n, .. Parameters: those of the recurrent
// layer without its suffix: weight_ih.
#pragma once

#include "tenon/nn/recurrent.hpp"

namespace tenon::inline v0_1 {

namespace detail {
struct cell_step_options {
  static constexpr const char* all =
      "hidden<n>, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">";
  ir::sizes hidden{};
  ir::parameter_rules rules{};
  ir::name unknown{}, repeated{};
};
}  // namespace detail

namespace nn {

template <class C, class... Options>
struct cell_step {
  static constexpr int build(builder& b, const edges& in) {
    constexpr auto options = detail::read_options<Options...>(detail::cell_step_options{});
    constexpr ir::state_sizes hidden = options.hidden;
    if (!detail::accept_options(b, options, "cell_step")) return -1;
    if constexpr (!concepts::Cell<C> || options.hidden.empty()) {
      return b.fail({.rule = "cell_step needs a cell, and the sizes of its states",
                     .fix = "write cell_step<cells::lstm, hidden<32>>"});
    } else if constexpr (!ir::detail::RunsAtCompileTime<ir::detail::calls_step<C>, ir::step_arity<C>>) {
      return b.fail(ir::detail::runs_later("the cell's step"));
    } else {
      constexpr int states = ir::state_count<C>, sources = ir::step_arity<C>;
      if (!b.require_inputs(in, sources, sources, "cell_step", "name x, each state, and what the step sees"))
        return -1;
      ir::sizes seen;
      for (int i = 0; i < in.size; ++i) {
        const bool is_state = i > 0 && i <= states;
        if (is_state && !b.require_numbers(in[i], "a state")) return -1;
        if (i > 0 && i <= states &&
            !b.require_size(in[i], hidden[i - 1], "a state",
                            "a state is as wide as its layer: gru<width>, hidden<width>"))
          return -1;
        if (i > states) seen.add(detail::features_of(b, in[i]));
      }
      ir::traced t = ir::trace_one_step<C>(detail::features_of(b, in[0]), hidden, seen, b.axes_of(in));
      for (int i = 0; i < in.size && !t.wrong; ++i)
        if (!(i > 0 && i <= states) && !detail::accept_source(b, in[i], t.equations, i, "cell_step"))
          return -1;
      for (int s = 0; s < states; ++s) t.names.add(ir::name_of_state(s));
      return b.apply(
          t, in, ir::detail::layout_of<C>(),
          ir::detail::initializers_of<C>({ir::initial::uniform, detail::inverse_sqrt(options.hidden[0])}));
    }
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
