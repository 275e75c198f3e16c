// trace: runs a user's equations on a tape and returns the finished program, or what is wrong with them.
#pragma once

#include "tenon/equation/infer.hpp"
#include "tenon/equation/language.hpp"
#include "tenon/equation/rewrite.hpp"

#include <array>

namespace tenon {

struct traced {
  program equations{};
  problem wrong{};
};

using sizes = list<int, max_program_inputs>;

// f(inputs) returns a list of output values; outputs[o] features are wanted of output o (0: free).
template <class F>
constexpr traced trace(const sizes& inputs, const sizes& outputs, const storage_layout& layout, F f) {
  tape t;
  list<value, max_program_inputs> x;
  for (int i = 0; i < inputs.size; ++i) x.add({&t, t.input(i, inputs[i])});
  for (const value& y : f(x)) t.written.outputs.add(y.index);
  if (t.wrong) return {.wrong = t.wrong};
  if (problem wrong = infer_sizes(t.written, outputs)) return {.wrong = wrong};
  for (int o = 0; o < outputs.size && o < t.written.outputs.size; ++o)
    if (outputs[o] > 0) t.written.outputs[o] = t.widen(t.written.outputs[o], outputs[o]);
  return {.equations = order_symbols(eliminate_dead_code(t.written), layout)};
}

// --- the roles an equation can play ------------------------------------------------------------------------

namespace detail {
template <int>
struct one {
  using type = value;
};
template <class F, class Indices>
inline constexpr bool is_callable = false;
template <class F, int... I>
inline constexpr bool is_callable<F, std::integer_sequence<int, I...>> =
    std::is_invocable_v<F, typename one<I>::type...>;
template <class F, int N>
concept CallableWith = is_callable<F, std::make_integer_sequence<int, N>>;

template <class F, int N, int M>
constexpr auto call(F f, const list<value, M>& x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) { return f(x[I]...); }
  (std::make_integer_sequence<int, N>{});
}

// The number of values f takes, or 0.
template <class F, int N = 1>
constexpr int arity_of() {
  if constexpr (CallableWith<F, N>) return N;
  else if constexpr (N < 16) return arity_of<F, N + 1>();
  else return 0;
}

template <class T>
constexpr list<value, 8> as_list(const T& result) {
  if constexpr (std::same_as<T, value>) return list<value, 8>{result};
  else return result;
}

template <class C>
constexpr storage_layout layout_of() {
  if constexpr (requires { C::storage; }) return C::storage;
  else return {};
}
}  // namespace detail

namespace detail {
// The static function of a role as an object, which cannot be called where C does not have it.
template <class C>
struct calls_step {
  template <class... V>
  requires requires(V... v) { C::step(v...); }
  constexpr auto operator()(V... v) const { return C::step(v...); }
};
template <class C>
struct calls_at {
  template <class... V>
  requires requires(V... v) { C::at(v...); }
  constexpr auto operator()(V... v) const { return C::at(v...); }
};
template <class C>
struct calls_score {
  template <class... V>
  requires requires(V... v) { C::score(v...); }
  constexpr auto operator()(V... v) const { return C::score(v...); }
};
template <class C>
struct calls_update {
  template <class... V>
  requires requires(V... v) { C::update(v...); }
  constexpr auto operator()(V... v) const { return C::update(v...); }
};
}  // namespace detail

template <class C>
inline constexpr detail::calls_step<C> step_of{};
template <class C>
inline constexpr detail::calls_at<C> at_of{};
template <class C>
inline constexpr detail::calls_score<C> score_of{};
template <class C>
inline constexpr detail::calls_update<C> update_of{};

template <class C>
inline constexpr int step_arity = detail::arity_of<detail::calls_step<C>>();
template <class C>
inline constexpr int at_arity = detail::arity_of<detail::calls_at<C>>();
template <class C>
inline constexpr int score_arity = detail::arity_of<detail::calls_score<C>>();
template <class C>
inline constexpr int update_arity = detail::arity_of<detail::calls_update<C>>();

// `step(x, states...)` returning next(states...): one step of a recurrence.
template <class C>
concept Cell = step_arity<C>
>= 2;
// `at(x...)` returning a value: a function of the features at one position.
template <class C>
concept Pointwise = at_arity<C>
>= 1;
// `score(query, key)` returning a value of size 1.
template <class C>
concept Score = score_arity<C>
== 2;

template <Cell C>
inline constexpr int state_count = step_arity<C> - 1;

// Inputs: x [input], states [hidden] each. Outputs: the cell's output, then its next states [hidden].
template <Cell C>
constexpr traced trace_step(int input, int hidden) {
  sizes in{input}, out;
  for (int s = 0; s < state_count<C>; ++s) in.add(hidden);
  traced result = trace(in, out, detail::layout_of<C>(), [&](const auto& x) {
    step_result r;
    using returned = decltype(detail::call<detail::calls_step<C>, step_arity<C>>(step_of<C>, x));
    if constexpr (std::same_as<returned, value>)
      r = next(detail::call<detail::calls_step<C>, step_arity<C>>(step_of<C>, x));
    else if constexpr (std::convertible_to<returned, step_result>)  // anything else is no state
      r = detail::call<detail::calls_step<C>, step_arity<C>>(step_of<C>, x);
    if (r.states.size != state_count<C>)
      x[0].on->fail({.rule = "the cell's step must return",
                     .axis = "states",
                     .expected = state_count<C>,
                     .got = r.states.size,
                     .fix = "return next(one value for each state that step takes)"});
    if (r.outputs.size != 1)
      x[0].on->fail({.rule = "the cell's step must emit",
                     .axis = "outputs",
                     .expected = 1,
                     .got = r.outputs.size,
                     .fix = "concat several outputs into one"});
    list<value, 16> outputs;
    for (const value& y : r.outputs) outputs.add(y);
    for (const value& s : r.states) outputs.add(s);
    // the size of each next state is the size of the state
    for (const value& s : r.states)
      if (x[0].on->written.code[s.index].size == 0) x[0].on->written.code[s.index].size = hidden;
    return outputs;
  });
  if (result.wrong) return result;
  for (int o = 1; o < result.equations.outputs.size; ++o) {
    const int got = result.equations.code[result.equations.outputs[o]].size;
    if (got != hidden)
      return {.wrong = {.rule = "the cell's next state must have",
                        .axis = "features",
                        .expected = hidden,
                        .got = got,
                        .source = name("state ").append(o - 1),
                        .fix = "a next state has the size of the state it replaces"}};
  }
  return result;
}

// Inputs: the features of each operand. Output: one value.
template <Pointwise C>
constexpr traced trace_at(const sizes& inputs) {
  return trace(inputs, {}, detail::layout_of<C>(), [](const auto& x) {
    return detail::as_list(detail::call<detail::calls_at<C>, at_arity<C>>(at_of<C>, x));
  });
}

template <Score C>
constexpr traced trace_score(int query, int key) {
  return trace(sizes{query, key}, sizes{1}, detail::layout_of<C>(), [](const auto& x) {
    return detail::as_list(detail::call<detail::calls_score<C>, 2>(score_of<C>, x));
  });
}

}  // namespace tenon
