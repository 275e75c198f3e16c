// trace: runs a user's equations on a tape and returns the finished program, or what is wrong with them.
#pragma once

#include "tenon/equation/infer.hpp"
#include "tenon/equation/language.hpp"
#include "tenon/equation/rewrite.hpp"

#include <utility>

namespace tenon::inline v0_1::ir {

struct traced {
  program equations{};
  problem wrong{};
  list<label, max_sources> names{};  // of the results after the first
};

// The axes along which the inputs of an equation vary, and their names; empty: no input is a sequence.
struct input_axes {
  list<domain, max_program_inputs> varies{};
  label time{}, inner{};
  bool time_is_grid = false, inner_is_grid = false;
  int time_bound = 0, inner_bound = 0;  // the most steps

  constexpr bool operator==(const input_axes&) const = default;
};

using sizes = list<int, max_program_inputs>;

// A function that traces an equation, and an address that identifies the equation.
struct tracer {
  traced (*trace)(const sizes& features, const input_axes& axes) = nullptr;
  const void* equation = nullptr;
};

// f(inputs) returns a list of output values; output o must have outputs[o] features (0: any).
template <class F>
constexpr traced trace(const sizes& inputs, const sizes& outputs, const storage_layout& layout, F f,
                       const input_axes& axes = {}) {
  tape t;
  t.written.varies = axes.varies;
  t.name_of(dimension::time) = axes.time;
  t.name_of(dimension::inner) = axes.inner;
  t.is_grid[0] = axes.time_is_grid;
  t.is_grid[1] = axes.inner_is_grid;
  t.bound[0] = axes.time_bound;
  t.bound[1] = axes.inner_bound;
  list<value, max_program_inputs> x;
  for (int i = 0; i < inputs.size; ++i) x.add({&t, t.input(i, inputs[i])});
  for (const value& y : f(x)) t.written.outputs.add(y.index);
  if (t.wrong) return {.wrong = t.wrong};
  if (problem wrong = infer_sizes(t.written, outputs)) return {.wrong = wrong};
  for (int o = 0; o < outputs.size && o < t.written.outputs.size; ++o)
    if (outputs[o] > 0) t.written.outputs[o] = t.widen(t.written.outputs[o], outputs[o]);
  if (t.wrong) return {.wrong = t.wrong};
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
    requires(F f, typename one<I>::type... x) {
  f(x...);
};
template <class F, int N>
concept CallableWith = is_callable<F, std::make_integer_sequence<int, N>>;

template <class F, int N, int M>
constexpr auto call(F f, const list<value, M>& x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) { return f(x[I]...); }
  (std::make_integer_sequence<int, N>{});
}

// Evaluates f at compile time, rather than only compiling it. A function of std:: on a value, an `if` on a value, and a
// function without constexpr are not part of the language.
template <class F, int N>
constexpr bool evaluate() {
  tape t;
  list<value, N> x;
  for (int i = 0; i < N; ++i) {
    x.add({&t, t.input(i, 0)});
    t.written.varies.add(domain::rows);
  }
  call<F, N>(F{}, x);
  return true;
}
template <class F, int N>
concept RunsAtCompileTime = requires {
  typename std::bool_constant<evaluate<F, N>()>;
};
constexpr problem runs_later(characters what) {
  return {.rule = sentence(what).append(" cannot be evaluated at compile time"),
          .fix = "declare it constexpr, write tanh(x) for std::tanh(x), and select(c, x, y) for if"};
}

// The number of values that f takes, or 0.
template <class F, int N = 1>
constexpr int arity_of() {
  if constexpr (CallableWith<F, N>) return N;
  else if constexpr (N < max_sources) return arity_of<F, N + 1>();
  else return 0;
}

// Does f take more values than allowed? Asked only if arity_of is 0.
template <class F, int N = max_sources + 1>
constexpr bool takes_too_many() {
  if constexpr (CallableWith<F, N>) return true;
  else if constexpr (N < 2 * max_sources) return takes_too_many<F, N + 1>();
  else return false;
}

template <class T>
constexpr list<value, max_sources> as_list(const T& result) {
  list<value, max_sources> all;
  if constexpr (Traced<T>) all.add(result);
  else
    for (const value& v : result) all.add(v);
  return all;
}
// The results of an equation: one value, or something that can be written as one, or several named values.
template <class F, int N, int M>
constexpr list<value, max_sources> result_of(F f, const list<value, M>& x,
                                             [[maybe_unused]] list<label, max_sources>& names) {
  tape& t = *x[0].on;
  if constexpr (std::same_as<decltype(call<F, N>(f, x)), named_results>) {
    const named_results all = call<F, N>(f, x);
    names = all.names;
    return all.values;
  } else if constexpr (Operand<decltype(call<F, N>(f, x))>) {
    return as_list(value{&t, write(t, call<F, N>(f, x))});
  } else {
    t.fail({.rule = "the equation must return one value", .fix = "return what it computes, such as tanh(x)"});
    return as_list(x[0]);
  }
}

template <class C>
constexpr storage_layout layout_of() {
  if constexpr (requires { C::storage; }) return C::storage;
  else return {};
}
}  // namespace detail

namespace detail {
// The static function of a role as an object, which cannot be called if C does not have the function.
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

// Inputs: the features of each operand, and which of them are sequences. Outputs: the results.
template <Pointwise C>
constexpr traced trace_at(const sizes& inputs, const input_axes& axes = {}) {
  list<label, max_sources> names;
  const auto results = [&](const auto& x) {
    x[0].on->finds_pairs = true;
    return detail::result_of<detail::calls_at<C>, at_arity<C>>(at_of<C>, x, names);
  };
  traced all = trace(inputs, {}, detail::layout_of<C>(), results, axes);
  all.names = names;
  return all;
}

namespace detail {
template <class T>
inline constexpr char place_of{};
template <class A, class B>
concept HavePlacesApart = requires {
  typename std::bool_constant<(&place_of<A> == &place_of<B>)>;
};
}  // namespace detail
// Do addresses tell types apart at compile time? Not for g++ 12 with -fsanitize=undefined, where each may be null.
inline constexpr bool addresses_tell_types = detail::HavePlacesApart<int, char>;

template <class T>
inline constexpr tracer tracer_of{trace_at<T>, &detail::place_of<T>};

}  // namespace tenon::inline v0_1::ir

namespace tenon::inline v0_1::concepts {
using ir::Cell;
using ir::Pointwise;
using ir::Score;
}  // namespace tenon::inline v0_1::concepts
