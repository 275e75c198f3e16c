// trace_step: the program of one step of a recurrence, from a cell's `step`, or what is wrong with it.
#pragma once

#include "tenon/equation/trace.hpp"

namespace tenon::inline v0_1::ir {

namespace detail {
// The result of the step; if it is neither a value nor a step_result, it has no states.
template <Cell C, int N>
constexpr step_result step_result_of(const list<value, N>& x) {
  using returned = decltype(call<calls_step<C>, step_arity<C>>(step_of<C>, x));
  if constexpr (Traced<returned>) return next(call<calls_step<C>, step_arity<C>>(step_of<C>, x));
  else if constexpr (std::convertible_to<returned, step_result>)
    return call<calls_step<C>, step_arity<C>>(step_of<C>, x);
  else return {};
}
template <Cell C>
constexpr int count_states() {
  tape t;
  list<value, step_arity<C>> x;
  for (int i = 0; i < step_arity<C>; ++i) {
    x.add({&t, t.input(i, 0)});
    t.written.varies.add(domain::rows);
  }
  return step_result_of<C>(x).states.size;
}
}  // namespace detail

// The number of states of a step. Arguments after x and the states are the same at every step.
template <Cell C>
inline constexpr int state_count = detail::count_states<C>();

// The further arguments of a step, after x and its states: the features of each, and the axes that it varies along.
struct step_constants {
  sizes features{};
  input_axes axes{};
};

// The features of each state: one number for all states, or one for each.
struct state_sizes {
  sizes each{};
  constexpr state_sizes(int all) : each{all} {}
  constexpr state_sizes(const sizes& of_each) : each(of_each) {}
  constexpr int operator[](int state) const { return each[each.size == 1 ? 0 : state]; }
};

// What is wrong with the size of a next state, or nothing. If it is that of another state, the order may be wrong.
constexpr problem unfit_size_of_state(const program& step, int state, const state_sizes& hidden, int states) {
  const int made = step.outputs[1 + state], got = step.code[made].size;
  if (got == hidden[state]) return {};
  sentence which = "the cell's next state";
  if (states > 1) which.append(" ").append(state);
  bool fits_another = false;
  for (int other = 0; other < states; ++other) fits_another |= got == hidden[other];
  return {.rule = which.append(" must have"),
          .axis = "features",
          .expected = hidden[state],
          .got = got,
          .source = described(step, detail::origin_of_size(step, made)),
          .fix = fits_another ? "return next(..) in the order in which step takes its states"
                              : "a next state has the size of the state it replaces"};
}

// Inputs: x [input], states [hidden], constants, along these axes. Outputs: the cell's output, then its next states
// [hidden].
template <Cell C>
constexpr traced trace_one_step(int input, const state_sizes& hidden, const sizes& constants,
                                const input_axes& axes) {
  const int states = step_arity<C> - 1 - constants.size;
  sizes in{input}, out;
  for (int s = 0; s < states; ++s) in.add(hidden[s]);
  for (int c : constants) in.add(c);
  const auto step = [&](const auto& x) {
    tape& written_on = *x[0].on;
    const step_result r = detail::step_result_of<C>(x);
    if (r.states.size != states)
      written_on.fail(
          {.rule = "the cell's step must return",
           .axis = "states",
           .expected = states,
           .got = r.states.size,
           .fix = r.states.size == 0 || r.states.size > states
                      ? "return next(one value for each state that step takes)"
                      : "return next(one value for each state that step takes), or name a source for each "
                        "other argument"});
    if (r.outputs.size != 1)
      written_on.fail({.rule = "the cell's step must emit",
                       .axis = "outputs",
                       .expected = 1,
                       .got = r.outputs.size,
                       .fix = "concat several outputs into one"});
    list<value, max_program_outputs> outputs;
    for (const value& y : r.outputs) outputs.add(y);
    for (const value& s : r.states) outputs.add(s);
    // the size of each next state is the size of the state
    for (int s = 0; s < r.states.size && s < states; ++s)
      if (int& size = written_on.written.code[r.states[s].index].size; size == 0) size = hidden[s];
    for (value& y : outputs) {
      if (written_on.has_axis(y.index, dimension::inner))
        written_on.fail(
            {.rule = sentence("a result of the step varies along '").append(axes.inner.view()).append("'"),
             .source = described(written_on.written, y.index),
             .fix = sentence("reduce it first: sum<\"")
                        .append(axes.inner.view())
                        .append("\">, or a weighted sum with a softmax")});
      const auto& varies = written_on.written.varies;  // a result without time is spread along it
      if (!varies.empty() && varies[0] == domain::rows) y.index = written_on.spread(y.index, dimension::time);
    }
    return outputs;
  };
  traced result = trace(in, out, detail::layout_of<C>(), step, axes);
  if (result.wrong) return result;
  for (int s = 0; s < states; ++s)
    if (const problem wrong = unfit_size_of_state(result.equations, s, hidden, states))
      return {.wrong = wrong};
  return result;
}

// A step of a loop: x and the states vary along time, which the step cannot name; constants may vary along the inner
// axis.
template <Cell C>
constexpr traced trace_step(int input, const state_sizes& hidden, const step_constants& constants = {}) {
  input_axes axes;
  if (constants.features.size > 0) {
    axes.inner = constants.axes.inner;
    axes.inner_is_grid = constants.axes.inner_is_grid;
    axes.inner_bound = constants.axes.inner_bound;
    for (int i = 0; i < step_arity<C> - constants.features.size; ++i) axes.varies.add(domain::rows);
    for (domain d : constants.axes.varies) axes.varies.add(d);
  }
  return trace_one_step<C>(input, hidden, constants.features, axes);
}

}  // namespace tenon::inline v0_1::ir
