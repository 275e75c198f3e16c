// The language of equations: the functions for a cell's `step`, a layer's `at`, an attention's `score` or an
// optimiser's `update`. They run at compile time and write a program.
//
//   W<"z">(x)          learned matrix times x; the number of rows follows from the use, or is given: W<"z", 64>(x)
//   b<"z">             learned vector           a + b  a - b  a * b  a / b  -a       with values, symbols, numbers
//   concat(a, b, ...)  slice<first, size>(a)    sum(a) mean(a) max(a) dot(a, b) softmax(a) log_softmax(a): over features
// Along an axis, here "time", over the steps that a sequence has:
//   sum<"time">(a) mean<"time">(a) max<"time">(a) first<"time">(a) last<"time">(a): one row of all steps
//   log_sum_exp<"time">(a): the same; softmax<"time">(a) log_softmax<"time">(a): a row at each step
//   masked(a, hidden): scores for a softmax, without those where hidden > 0
//   shift<1, "time">(a) window<3, "time">(a): the step before; the steps around, side by side
//   reversed<"time">(a): from the last step to the first
//   position_of<"time">(a) length_of<"time">(a): the number of each step; how many steps there are
//   as_axis<"source">(a): the steps of a as a second axis, which each step of the other values sees whole
//   dot<groups>(a, b) weighted_sum<"source">(w, a): attention in heads; as_features<"source">(a): the steps side by side
#pragma once

#include "tenon/equation/two_axes.hpp"
#include "tenon/equation/wrong_count.hpp"

namespace tenon::inline v0_1::ir {

// --- learned symbols ---------------------------------------------------------------------------------------
inline constexpr int inferred = 0;

namespace detail {
constexpr bool depends_on_state(const tape& t, int k) {
  const instruction& i = t[k];
  if (i.code == opcode::input) return i.first > 0 && i.first <= t.drops.states;
  bool depends = false;
  for_operands(i, [&](int o) { depends = depends || depends_on_state(t, o); });
  return depends;
}
// With one hidden unit, the size of r * h is still open although the other operand has size 1. Size inference would
// give it size 1 in the end; here it gets that size at once.
constexpr void settle_on_one(tape& t, int k) {
  if (t.size(k) > 0 || !is_elementwise(t[k].code)) return;
  bool is_beside_one = false;
  for_operands(t[k], [&](int o) {
    settle_on_one(t, o);
    is_beside_one = is_beside_one || (t.size(o) == 1 && !t.is_number(o));
  });
  if (is_beside_one) t.written.code[k].size = 1;
}
// The operand of a matrix product: x, or x times a dropout mask if a share of the features is dropped.
constexpr value before_product(value x) {
  tape& t = *x.on;
  const bool is_of_state = t.drops.states > 0 && depends_on_state(t, x.index);
  const double share = is_of_state ? t.drops.of_state : t.drops.of_input;
  if (share == 0 || t.has_axis(x.index, dimension::inner)) return x;
  settle_on_one(t, x.index);
  if (x.size() == 0)
    return failed(x, {.rule = "dropout before a matrix needs a known size, got an open one",
                      .source = described(t.written, x.index),
                      .fix = "write its rows down: W<\"gate\", rows>(x)"});
  auto& masks = t.drops.masks[is_of_state ? 1 : 0];
  int mask = -1;
  for (int known : masks)
    if (t.size(known) == x.size()) mask = known;
  if (mask < 0) mask = t.noise(share, x.size(), true);
  if (masks.find(mask) < 0 && masks.size < masks.capacity) masks.add(mask);
  return {&t, t.emit(opcode::multiply, x.index, mask)};
}
}  // namespace detail

template <text Letter, text Gate, int Rows>
struct matrix_symbol : detail::term {
  constexpr int write(tape& t) const {
    t.fail(
        {.rule = detail::speak_of(Letter.view(), Gate.view(), " is a matrix, and needs a value to multiply"),
         .fix = "write W<\"gate\">(x)"});
    return t.constant(0);
  }
  constexpr value operator()(value x, Traced auto... more) const {
    tape& t = *x.on;
    if (sizeof...(more) > 0)
      t.fail({.rule = detail::speak_of(Letter.view(), Gate.view(), " is a matrix, and takes"),
              .axis = "values",
              .expected = 1,
              .got = 1 + int(sizeof...(more)),
              .fix = "write W<\"gate\">(concat(x, h))"});
    if (Rows < 0)
      t.fail({.rule = Rows == size_argument::is_text     ? "a matrix has a name instead of its number of rows"
                      : Rows == size_argument::is_no_int ? "a matrix has a number of rows that no int holds"
                                                         : "a matrix has a negative number of rows",
              .fix = "write W<\"gate\", rows>(x), or leave the rows out"});
    const int s = detail::find_symbol(t, Letter.view(), Gate.view(), Rows, -1);
    const int a = detail::before_product(x).index;
    return {x.on, t.emit({.code = opcode::matmul, .a = short(a), .first = s, .count = 1, .size = Rows})};
  }
};

}  // namespace tenon::inline v0_1::ir

// What an equation learns. A cell, a layer or a score that learns derives from `symbols`, so its W, U, V and b are these,
// and a V of the program's own is still the program's everywhere else:
//
//   struct elman : equations::symbols {
//     static constexpr auto step(auto x, auto h) { return tanh(W<"h">(x) + U<"h">(h) + b<"h">); }
//   };
//
// The letters are the literature's: W and U multiply the input and the state, b is a bias. If each product has its own
// bias, they are written b_W and b_U (PyTorch's bias_ih, bias_hh).
namespace tenon::inline v0_1::equations {
struct symbols {
  template <ir::text Gate = "", ir::size_argument Rows = ir::inferred>
  static constexpr ir::matrix_symbol<"W", Gate, Rows.size> W{};
  template <ir::text Gate = "", ir::size_argument Rows = ir::inferred>
  static constexpr ir::matrix_symbol<"U", Gate, Rows.size> U{};
  template <ir::text Gate = "", ir::size_argument Rows = ir::inferred>
  static constexpr ir::matrix_symbol<"V", Gate, Rows.size> V{};
  template <ir::text Gate = "">
  static constexpr ir::vector_symbol<"b", Gate> b{};
  template <ir::text Gate = "">
  static constexpr ir::vector_symbol<"b_W", Gate> b_W{};
  template <ir::text Gate = "">
  static constexpr ir::vector_symbol<"b_U", Gate> b_U{};

  // A learned matrix or vector with any other name.
  template <ir::text Name, ir::size_argument Rows = ir::inferred>
  static constexpr ir::matrix_symbol<Name, "", Rows.size> matrix{};
  template <ir::text Name>
  static constexpr ir::vector_symbol<Name, ""> vector{};
};
}  // namespace tenon::inline v0_1::equations

namespace tenon::inline v0_1::ir {

// The value of an equation and further, named results, which become further outputs of the node.
struct named_results {
  list<value, max_sources> values;
  list<label, max_sources> names;  // of all but the first
};
template <text Name>
constexpr named_results with(named_results results, value also) {
  if (results.values.size == results.values.capacity)
    also.on->fail(
        {.rule = sentence("the equation has more than ").append(results.values.capacity).append(" results"),
         .fix = "make two nodes of it, or concat some of them"});
  else {
    results.values.add(also);
    results.names.add(Name.view());
  }
  return results;
}
// `return with<"weights">(context, weights)`: other nodes read "node.weights".
template <text Name>
constexpr named_results with(value result, value also) {
  named_results all;
  all.values.add(result);
  return with<Name>(all, also);
}

// What a cell's step returns: its next states, and its output if that is not the first state.
struct step_result {
  list<value, max_sources> states;
  list<value, max_sources> outputs;

  constexpr step_result emitting(Traced auto... y) const {
    step_result r = *this;
    r.outputs = {};
    (r.outputs.add(y), ...);
    return r;
  }
};
template <Operand... States>
requires(... || Traced<States>) constexpr step_result next(States... states) {
  tape* const t = detail::tape_of(states...);
  step_result r;
  if constexpr (sizeof...(States) > max_sources) {
    t->fail({.rule = "the cell's step must return at most",
             .axis = "states",
             .expected = max_sources,
             .got = sizeof...(States),
             .fix = "concat some of them into one"});
    return r;
  } else (r.states.add({t, detail::write(*t, states)}), ...);
  r.outputs.add(r.states[0]);
  return r;
}

}  // namespace tenon::inline v0_1::ir

namespace tenon::inline v0_1 {
using ir::next;
}  // namespace tenon::inline v0_1
