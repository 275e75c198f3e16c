// variational_dropout<rate>: dropout with the same zeros at every step of a sequence (Gal and Ghahramani 2016). It is a
// layer, and a function of the language, variational_dropout<0.3>(x). It is also an option of recurrent layers,
// lstm<64, variational_dropout<0.3>>, or <0.3, 0.2> with another rate for the states: the input and the states, where
// the cell's matrices multiply them, lose the same features at every step, for all gates (the paper's "tied" form).
// Each row of a batch, each layer and each direction has different zeros.
#pragma once

#include "tenon/graph/layer.hpp"
#include "tenon/nn/cell/wrapped.hpp"
#include "tenon/nn/dropout.hpp"

namespace tenon::inline v0_1 {

namespace detail {
template <auto Rate>
struct same_zeros {
  static constexpr auto at(auto x) { return drop(x, ir::share_from<Rate>, zeros_of::sequence); }
};
}  // namespace detail

namespace nn {

template <auto Rate, auto OfStates = Rate, class... Options>
struct variational_dropout : ir::value, detail::wrapper {
  static constexpr double rate = ir::share_from<Rate>, rate_of_states = ir::share_from<OfStates>;

  // variational_dropout<0.3>(x), in an equation
  constexpr explicit variational_dropout(ir::value x)
      : ir::value(detail::drop(x, rate, detail::zeros_of::sequence)) {
    if (const ir::problem p = unfit_name_of_option()) x.on->fail(p);
  }

  // As a layer.
  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "variational_dropout", "name one source") ||
        !b.require_numbers(in[0], "variational_dropout"))
      return -1;
    if (!b.accept(mistake())) return -1;
    return ir::build<detail::same_zeros<Rate>>(b, in);
  }

  // As an option of a recurrent layer.
  template <class C>
  using cell = detail::wrapped_cell<C, variational_dropout>;
  template <class C>
  static constexpr void before(ir::tape& t) {
    if (const ir::problem p = mistake()) return t.fail(p);
    t.drops.of_input = rate;
    t.drops.of_state = rate_of_states;
    t.drops.states = ir::state_count<C>;
  }
  static constexpr ir::step_result after(const auto& taken, const ir::step_result& made) {
    taken[0].on->drops = {};
    return made;
  }

 private:
  static constexpr ir::problem unfit_name_of_option() {
    return detail::unfit_no_options<Options...>("variational_dropout");
  }
  static constexpr ir::problem mistake() { return is_right ? unfit_name_of_option() : needs_a_rate; }
  static constexpr bool is_right = rate >= 0 && rate < 1 && rate_of_states >= 0 && rate_of_states < 1;
  static constexpr ir::problem needs_a_rate{
      .rule = "variational_dropout<rate> needs a rate from 0 to below 1",
      .fix =
          "write the share of zeros: variational_dropout<0.3>; 1/2 is the whole number 0, and 0.0 is none"};
};

}  // namespace nn

}  // namespace tenon::inline v0_1
