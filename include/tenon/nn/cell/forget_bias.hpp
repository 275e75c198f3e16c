// forget_bias<value>: an option of recurrent layers whose cell has a gate "f". Its bias starts at this value, so that
// the cell keeps its state at first (Gers, Schmidhuber and Cummins 2000; Jozefowicz, Zaremba and Sutskever 2015: 1). If
// the gate has two biases, the other starts at 0.
#pragma once

#include "tenon/graph/initializer.hpp"
#include "tenon/nn/cell/wrapped.hpp"

#include <utility>

namespace tenon::inline v0_1 {

namespace detail {
// How many symbols of a cell have an initial value of the cell's choice.
template <class C>
inline constexpr std::size_t own_starts = 0;
template <class C>
requires requires { C::starts; }
inline constexpr std::size_t own_starts<C> = sizeof(C::starts) / sizeof(init::start);

template <class C, class Option, class Own = std::make_index_sequence<own_starts<C>>>
struct with_forget_bias;
template <class C, class Option, std::size_t... Own>
struct with_forget_bias<C, Option, std::index_sequence<Own...>> : wrapped_cell<C, Option> {
  static constexpr init::start starts[]{
      init::start("b", "f", Option::start).if_there(), init::start("b_W", "f", Option::start).if_there(),
      init::start("b_U", "f", init::constant(0)).if_there(), C::starts[Own]...};
};
}  // namespace detail

namespace nn {

template <auto Value>
struct forget_bias : detail::wrapper {
  static constexpr ir::initializer start = init::constant(static_cast<double>(Value));
  template <class C>
  using cell = detail::with_forget_bias<C, forget_bias>;

  static constexpr ir::step_result after(const auto& taken, const ir::step_result& made) {
    ir::tape& t = *taken[0].on;
    bool has_bias = false;
    for (const ir::symbol& s : t.written.symbols)
      has_bias = has_bias || (s.gate == "f" && (s.letter == "b" || s.letter == "b_W"));
    if (!has_bias)
      t.fail({.rule = "forget_bias<..>: the cell has no bias of a gate 'f'",
              .fix = "leave it out, or write b<\"f\"> in the cell's step"});
    return made;
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
