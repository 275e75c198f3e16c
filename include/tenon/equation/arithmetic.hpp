// The arithmetic of equations on values, symbols and numbers; functions of each feature, over all features, and of
// tokens; slices and concatenation.
#pragma once

#include "tenon/equation/terms.hpp"

#include <concepts>
#include <numbers>

namespace tenon::inline v0_1::ir {

// --- arithmetic --------------------------------------------------------------------------------------------
template <class A, class B>
requires Operands<A, B>
constexpr auto operator+(A a, B b) { return detail::apply<opcode::add>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto operator-(A a, B b) { return detail::apply<opcode::subtract>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto operator*(A a, B b) { return detail::apply<opcode::multiply>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto operator/(A a, B b) { return detail::apply<opcode::divide>(a, b); }
template <Symbolic A>
constexpr auto operator-(A a) {
  return detail::apply<opcode::negate>(a);
}

constexpr value& operator+=(value& a, Operand auto b) { return a = a + b; }
constexpr value& operator-=(value& a, Operand auto b) { return a = a - b; }
constexpr value& operator*=(value& a, Operand auto b) { return a = a * b; }
constexpr value& operator/=(value& a, Operand auto b) { return a = a / b; }

// Not constexpr: no number is known before the program runs. They exist, like the conversion of a value to
// a number, so that an equation with `if (x > 0)` is refused with a clear message: see RunsAtCompileTime.
template <class A, class B>
requires Operands<A, B>
bool operator<(A, B) { return false; }
template <class A, class B>
requires Operands<A, B>
bool operator>(A, B) { return false; }
template <class A, class B>
requires Operands<A, B>
bool operator<=(A, B) { return false; }
template <class A, class B>
requires Operands<A, B>
bool operator>=(A, B) { return false; }

// --- functions of each element -----------------------------------------------------------------------------
constexpr auto exp(Symbolic auto a) { return detail::apply<opcode::exp>(a); }
constexpr auto log(Symbolic auto a) { return detail::apply<opcode::log>(a); }
constexpr auto sqrt(Symbolic auto a) { return detail::apply<opcode::sqrt>(a); }
constexpr auto abs(Symbolic auto a) { return detail::apply<opcode::abs>(a); }
constexpr auto sign(Symbolic auto a) { return detail::apply<opcode::sign>(a); }
constexpr auto square(Symbolic auto a) { return detail::apply<opcode::multiply>(a, a); }
constexpr auto sin(Symbolic auto a) { return detail::apply<opcode::sin>(a); }
constexpr auto cos(Symbolic auto a) { return detail::apply<opcode::cos>(a); }
constexpr auto sigmoid(Symbolic auto a) { return detail::apply<opcode::sigmoid>(a); }
constexpr auto tanh(Symbolic auto a) { return detail::apply<opcode::tanh>(a); }
constexpr auto relu(Symbolic auto a) { return detail::apply<opcode::relu>(a); }
constexpr auto softplus(Symbolic auto a) { return detail::apply<opcode::softplus>(a); }
constexpr auto erf(Symbolic auto a) { return detail::apply<opcode::erf>(a); }
constexpr auto identity(Symbolic auto a) { return a; }
constexpr auto stop_gradient(Symbolic auto a) { return detail::apply<opcode::stop_gradient>(a); }

template <class A, class B>
requires Operands<A, B>
constexpr auto max(A a, B b) { return detail::apply<opcode::maximum>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto min(A a, B b) { return detail::apply<opcode::minimum>(a, b); }
// For two operands of one type: without these overloads, std::max and std::min would be called if both namespaces are
// open, as they are more specialised than those above.
template <Symbolic A>
constexpr auto max(const A& a, const A& b) {
  return detail::apply<opcode::maximum>(a, b);
}
template <Symbolic A>
constexpr auto min(const A& a, const A& b) {
  return detail::apply<opcode::minimum>(a, b);
}
// 1 where a > b, else 0; its gradient is 0
template <class A, class B>
requires Operands<A, B>
constexpr auto greater(A a, B b) { return detail::apply<opcode::greater>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto equal(A a, B b) { return detail::apply<opcode::equal>(a, b); }
// a Phi(a), Phi the standard normal distribution function (Hendrycks and Gimpel 2016, exact form). Phi is 0
// long before -16, and infinity times 0 would not be a number.
constexpr auto gelu(Symbolic auto a) { return 0.5 * max(a, -16) * (1 + erf(a * (1 / std::numbers::sqrt2))); }
// condition > 0 ? yes : no, element by element; `greater` makes conditions
template <Operand C, Operand A, Operand B>
requires(Traced<C> || Traced<A> || Traced<B>) constexpr value select(C condition, A yes, B no) {
  return detail::apply<opcode::select>(condition, yes, no);
}

// --- over the feature axis: results of size 1, which broadcast ---------------------------------------------
constexpr value sum(value a) { return detail::apply<opcode::row_sum>(a); }
constexpr value max(value a) { return detail::apply<opcode::row_max>(a); }
constexpr value dot(value a, value b) {
  if (a.on->are_pairs(a.index, b.index)) return {a.on, a.on->pair_dot(a.index, b.index, 1)};
  return sum(a * b);
}
// The number of features of a, as a constant; it may still be unknown while the equation is read.
constexpr value size_of(value a) {
  if (a.size() > 0) return {a.on, a.on->constant(a.size())};
  return {a.on, a.on->emit({.code = opcode::constant, .a = short(a.index), .size = 1})};
}
constexpr value mean(value a) { return sum(a) / size_of(a); }
// The number of the largest feature, the first of equal ones. It has no gradient.
constexpr value argmax(value a) {
  tape& t = *a.on;
  if (a.size() == 0)
    return failed(a, {.rule = "argmax needs a known size, got an open one",
                      .source = described(t.written, a.index),
                      .fix = "write its rows down: W<\"gate\", rows>(x)"});
  const value number{&t, t.own(own_input::count, a.size())}, last{&t, t.constant(1 - a.size())};
  return -max(select(equal(a, max(a)), -number, last));
}
// (a - mean a) / sqrt(variance of a + epsilon): layer normalisation without what is learned (Ba et al. 2016)
constexpr auto normalize(Traced auto a, double epsilon = 1e-5) {
  const value centred = a - mean(a);
  return centred / sqrt(mean(square(centred)) + epsilon);
}
// exp(a - max a) / sum exp(a - max a): the same for every shift, so the shift has no gradient
constexpr value softmax(value a) {
  const value e = exp(a - stop_gradient(max(a)));
  return e / sum(e);
}
constexpr value log_softmax(value a) {
  const value shifted = a - stop_gradient(max(a));
  return shifted - log(sum(exp(shifted)));
}
// log sum exp(a), without overflow for large values: a smooth maximum of all features. Its gradient is softmax(a).
constexpr value log_sum_exp(value a) {
  const value top = stop_gradient(max(a));
  return top + log(sum(exp(a - top)));
}

// --- tokens ------------------------------------------------------------------------------------------------
// In training: 1 with this probability, else 0. One number for each row, and for each step if `like` has steps.
// Outside training: 0.
template <auto Probability>
constexpr value bernoulli(value like) {
  tape& t = *like.on;
  constexpr double share = share_from<Probability>;
  if (!(share >= 0 && share <= 1))
    return failed(like, {.rule = "bernoulli<probability>(x) needs a probability from 0 to 1",
                         .fix = "write the share of ones: bernoulli<0.5>(x); 1/2 is the whole number 0"});
  const bool has_axes = !t.written.varies.empty();
  if (has_axes && t.has_axis(like.index, dimension::inner))
    return failed(like,
                  {.rule = "bernoulli<probability>(x) needs a value of the step, got one of another sequence",
                   .source = described(t.written, like.index),
                   .fix = "name a value of the step itself"});
  if (share == 0) return {&t, t.constant(0)};
  const bool of_sequence = has_axes && !t.has_axis(like.index, dimension::time);
  return 1 - greater(value{&t, t.noise(share, 1, of_sequence)}, 0);
}
// 1 at the feature whose number is the token, 0 at the others, as wide as `like`; all 0 for a token below 0.
constexpr value one_hot(value token, value like) {
  tape& t = *like.on;
  if (like.size() == 0) {
    t.fail({.rule = "one_hot(token, like) is as wide as `like`, whose size is open",
            .fix = "write its rows down, or use a value of a known size"});
    return like;
  }
  return equal(value{&t, t.own(own_input::count, like.size())}, token);
}

// The same, as wide as N.
template <int N>
constexpr value one_hot(value token) {
  tape& t = *token.on;
  if (N <= 0)
    return failed(token, {.rule = "one_hot<size>(token) needs a positive size", .fix = "one_hot<10>(token)"});
  return equal(value{&t, t.own(own_input::count, N)}, token);
}

// The feature whose number is the token; 0 for a token below 0.
constexpr value pick(value a, value token) { return sum(select(one_hot(token, a), a, 0)); }

// --- structure ---------------------------------------------------------------------------------------------
template <int First, int Size>
constexpr value slice(value a) {
  if (First < 0 || Size <= 0) {
    a.on->fail({.rule = "slice<first, size> needs a first of at least 0 and a size of at least 1",
                .fix = "slice<0, 2>(x) are the first two"});
    return a;
  }
  return {a.on, a.on->slice(a.index, First, Size)};
}
// Without a size: refused with a message.
template <int First>
constexpr value slice(value a) {
  a.on->fail({.rule = sentence("slice<").append(First).append(">(x) does not say how many features it takes"),
              .fix = "write where it starts, then its size: slice<0, 2>(x) are the first two"});
  return a;
}
constexpr value concat(value a) { return a; }
constexpr value concat(value a, value b) { return {a.on, a.on->emit(opcode::concat, a.index, b.index)}; }
constexpr value concat(value a, value b, Traced auto... more) { return concat(concat(a, b), more...); }

}  // namespace tenon::inline v0_1::ir
