// Cells made of other cells: how an option of a recurrent layer changes the cell's step. Such an option has a template
// `cell`: zoneout<0.1>::cell<cells::lstm> is a cell too, for cell_step and for the gradient checker.
#pragma once

#include "tenon/equation/trace_step.hpp"

namespace tenon::inline v0_1 {

namespace detail {

// C's step with Wrapper's `before(tape)` ahead of it and `after(arguments, result)` behind it;
// storage and starts are C's.
template <class C, class Wrapper>
struct wrapped_cell : C {
  template <std::same_as<ir::value>... Values>
  requires(sizeof...(Values) == ir::step_arity<C>) static constexpr auto step(Values... values) {
    const ir::list<ir::value, sizeof...(Values)> taken{values...};
    Wrapper::template before<C>(*taken[0].on);
    return Wrapper::after(taken, ir::detail::step_result_of<C>(taken));
  }
};
struct wrapper {
  template <class C>
  static constexpr void before(ir::tape&) {}
  // Replaces a next state, and the output if it is that state.
  static constexpr void replace_state(ir::step_result& made, int state, ir::value by) {
    for (ir::value& y : made.outputs)
      if (y.index == made.states[state].index) y = by;
    made.states[state] = by;
  }
};

// A cell whose step takes only its states, as a cell with an x that it does not read.
template <class C>
struct without_x : C {
  template <std::same_as<ir::value>... Values>
  requires(sizeof...(Values) == ir::step_arity<C>) static constexpr auto step(ir::value, Values... values) {
    return C::step(values...);
  }
};

template <class Option>
concept ChangesCell = requires {
  typename Option::template cell<void>;
};
// The cell after all options have changed it, in their order.
template <class C, class... Options>
struct changed_cell {
  using type = C;
};
template <class C, class First, class... Rest>
struct changed_cell<C, First, Rest...> : changed_cell<C, Rest...> {};
template <class C, ChangesCell First, class... Rest>
requires(!requires { First::is_innermost; }) struct changed_cell<C, First, Rest...>
    : changed_cell<typename First::template cell<C>, Rest...> {
};
// A program without such options does not compile changed_cell.
template <bool AnyOption, int Projection>
struct cell_changes {
  template <class C, class... Options>
  using type = typename changed_cell<C, Options...>::type;
};
template <>
struct cell_changes<false, 0> {
  template <class C, class... Options>
  using type = C;
};

}  // namespace detail

namespace nn {

// proj_size<P>: the first state is a learned matrix times the cell's own first state: h' = W_hr (o tanh(c')). So h has
// P features, and the cell's other states have H (Sak, Senior and Beaufays 2014; PyTorch's proj_size). Parameter:
// weight_hr [P, H]. P is less than H.
template <int P>
struct proj_size : detail::wrapper, equations::symbols {
  static constexpr void set(auto& options) requires requires { options.projection; }
  {
    options.projection = P;
    options.is_projected = true;
  }
  static constexpr bool is_innermost = true;  // other options change the cell that has the projection
  template <class C>
  using cell = detail::wrapped_cell<C, proj_size>;

  static constexpr ir::step_result after(const auto&, ir::step_result made) {
    replace_state(made, 0, matrix<"weight_hr">(made.states[0]));
    return made;
  }
};

}  // namespace nn

namespace detail {
template <int Projection>
requires(Projection != 0) struct cell_changes<true, Projection> {
  template <class C, class... Options>
  using type = typename changed_cell<typename nn::proj_size<Projection>::template cell<C>, Options...>::type;
};
}  // namespace detail

}  // namespace tenon::inline v0_1
