// The language of equations: what may stand in a cell's `step`, a layer's `at`, an attention's `score` or an
// optimiser's `update`. All of it runs at compile time and leaves a program behind.
//
//   W<"z">(x)          learned matrix times x; the number of rows follows from the use, or is given: W<"z", 64>(x)
//   b<"z">             learned vector           a + b  a - b  a * b  a / b  -a       with values, symbols, numbers
//   concat(a, b, ...)  slice<first, size>(a)    sum(a) mean(a) max(a) dot(a, b) softmax(a) log_softmax(a): over features
// Along an axis, here "time", over the steps that a sequence has:
//   sum<"time">(a) mean<"time">(a) max<"time">(a) first<"time">(a) last<"time">(a): one row of all steps
//   softmax<"time">(a) log_softmax<"time">(a)
//   shift<1, "time">(a) window<3, "time">(a): the step before; the steps around, side by side
//   position_of<"time">(a) length_of<"time">(a): the number of each step; of all
//   as_axis<"source">(a): the steps of a as an axis of their own, all seen from each step of the others
#pragma once

#include "tenon/equation/tape.hpp"

#include <concepts>
#include <numbers>
#include <type_traits>

namespace tenon::ir {

// --- terms that know no tape yet: symbols, and formulas of symbols and numbers alone -----------------------
namespace detail {
struct term {};  // their base: nvcc 13 finds no partial specialisation for the strings in a symbol's type
}  // namespace detail
template <op Code, class... Terms>
struct formula;

namespace detail {
constexpr sentence speak_of(characters letter, characters gate, characters said) {
  return sentence("'").append(written_as({.letter = letter, .gate = gate}).view()).append("'").append(said);
}
constexpr int find_symbol(tape& t, characters letter, characters gate, int rows = 0, int columns = 0) {
  for (characters part : {letter, gate})
    if (part.size() > label::capacity)
      t.fail({.rule = sentence("the name of a symbol has more than ")
                          .append(label::capacity)
                          .append(" letters: '")
                          .append(part)
                          .append("'"),
              .fix = "shorten it"});
  return t.find_symbol({.letter = letter, .gate = gate, .rows = rows, .columns = columns});
}
}  // namespace detail

template <text Letter, text Gate>
struct vector_symbol : detail::term {
  constexpr int write(tape& t) const {
    const int s = detail::find_symbol(t, Letter.view(), Gate.view());
    return t.emit({.code = op::vector, .first = s});
  }
  constexpr value operator()(value x) const {
    x.on->fail({.rule = detail::speak_of(Letter.view(), Gate.view(), " is a vector, and takes no value"),
                .fix = "leave out its argument, or multiply by a matrix: W<\"gate\">(x)"});
    return x;
  }
};

template <class T>
concept Term = std::derived_from<std::remove_cvref_t<T>, detail::term>;
template <class T>
concept Number = std::is_arithmetic_v<std::remove_cvref_t<T>>;
template <class T>
concept Operand = std::same_as<std::remove_cvref_t<T>, value> || Term<T> || Number<T>;

namespace detail {
constexpr int write(tape&, value v) { return v.index; }
constexpr int write(tape& t, Number auto n) { return t.constant(static_cast<double>(n)); }
constexpr int write(tape& t, Term auto term) { return term.write(t); }

constexpr tape* tape_of() { return nullptr; }
template <class First, class... Rest>
constexpr tape* tape_of(const First& first, const Rest&... rest) {
  if constexpr (std::same_as<First, value>) return first.on;
  else return tape_of(rest...);
}

// On the tape of its first traced operand; a formula waiting for one where there is none.
template <op Code, class... Operands>
constexpr auto apply(Operands... operands) {
  if constexpr ((std::same_as<Operands, value> || ...)) {
    tape& t = *tape_of(operands...);
    const int written[]{write(t, operands)...};  // braces: left to right
    return [&]<int... I>(std::integer_sequence<int, I...>) { return value{&t, t.emit(Code, written[I]...)}; }
    (std::make_integer_sequence<int, static_cast<int>(sizeof...(Operands))>{});
  } else {
    return formula<Code, Operands...>(operands...);
  }
}
}  // namespace detail

template <op Code, class A>
struct formula<Code, A> : detail::term {
  A a;
  constexpr explicit formula(A first) : a(first) {}
  constexpr int write(tape& t) const { return t.emit(Code, detail::write(t, a)); }
};
template <op Code, class A, class B>
struct formula<Code, A, B> : detail::term {
  A a;
  B b;
  constexpr formula(A first, B second) : a(first), b(second) {}
  constexpr int write(tape& t) const {
    const int left = detail::write(t, a);
    return t.emit(Code, left, detail::write(t, b));
  }
};

template <class A, class B>
concept Operands = Operand<A> && Operand<B> && !(Number<A> && Number<B>);
template <class A>
concept Symbolic = Operand<A> && !Number<A>;

// --- arithmetic --------------------------------------------------------------------------------------------
template <class A, class B>
requires Operands<A, B>
constexpr auto operator+(A a, B b) { return detail::apply<op::add>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto operator-(A a, B b) { return detail::apply<op::subtract>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto operator*(A a, B b) { return detail::apply<op::multiply>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto operator/(A a, B b) { return detail::apply<op::divide>(a, b); }
template <Symbolic A>
constexpr auto operator-(A a) {
  return detail::apply<op::negate>(a);
}

constexpr value& operator+=(value& a, Operand auto b) { return a = a + b; }
constexpr value& operator-=(value& a, Operand auto b) { return a = a - b; }
constexpr value& operator*=(value& a, Operand auto b) { return a = a * b; }
constexpr value& operator/=(value& a, Operand auto b) { return a = a / b; }

// Not constexpr: no number is known before the program runs. They stand here, as the conversion of a value to
// a number does, so that an equation with `if (x > 0)` is refused in words: see RunsAtCompileTime.
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
constexpr auto exp(Symbolic auto a) { return detail::apply<op::exp>(a); }
constexpr auto log(Symbolic auto a) { return detail::apply<op::log>(a); }
constexpr auto sqrt(Symbolic auto a) { return detail::apply<op::sqrt>(a); }
constexpr auto abs(Symbolic auto a) { return detail::apply<op::abs>(a); }
constexpr auto sign(Symbolic auto a) { return detail::apply<op::sign>(a); }
constexpr auto square(Symbolic auto a) { return detail::apply<op::multiply>(a, a); }
constexpr auto sin(Symbolic auto a) { return detail::apply<op::sin>(a); }
constexpr auto cos(Symbolic auto a) { return detail::apply<op::cos>(a); }
constexpr auto sigmoid(Symbolic auto a) { return detail::apply<op::sigmoid>(a); }
constexpr auto tanh(Symbolic auto a) { return detail::apply<op::tanh>(a); }
constexpr auto relu(Symbolic auto a) { return detail::apply<op::relu>(a); }
constexpr auto softplus(Symbolic auto a) { return detail::apply<op::softplus>(a); }
constexpr auto erf(Symbolic auto a) { return detail::apply<op::erf>(a); }
constexpr auto identity(Symbolic auto a) { return a; }
constexpr auto stop_gradient(Symbolic auto a) { return detail::apply<op::stop_gradient>(a); }

template <class A, class B>
requires Operands<A, B>
constexpr auto max(A a, B b) { return detail::apply<op::maximum>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto min(A a, B b) { return detail::apply<op::minimum>(a, b); }
// 1 where a > b, else 0; its gradient is 0
template <class A, class B>
requires Operands<A, B>
constexpr auto greater(A a, B b) { return detail::apply<op::greater>(a, b); }
template <class A, class B>
requires Operands<A, B>
constexpr auto equal(A a, B b) { return detail::apply<op::equal>(a, b); }
// a Phi(a), Phi the standard normal distribution function (Hendrycks and Gimpel 2016, exact form). Phi is 0
// long before -16, and infinity times 0 would not be a number.
constexpr auto gelu(Symbolic auto a) { return 0.5 * max(a, -16) * (1 + erf(a * (1 / std::numbers::sqrt2))); }
// condition > 0 ? yes : no, element by element; `greater` makes conditions
template <Operand C, Operand A, Operand B>
requires(std::same_as<C, value> || std::same_as<A, value> || std::same_as<B, value>) constexpr value
    select(C condition, A yes, B no) {
  return detail::apply<op::select>(condition, yes, no);
}

// --- over the feature axis: results of size 1, which broadcast ---------------------------------------------
constexpr value sum(value a) { return detail::apply<op::row_sum>(a); }
constexpr value max(value a) { return detail::apply<op::row_max>(a); }
constexpr value dot(value a, value b) {
  if (a.on->are_pairs(a.index, b.index)) return {a.on, a.on->pair_dot(a.index, b.index, 1)};
  return sum(a * b);
}
// The number of features of a, as a constant; it may still be unknown while the equation is read.
constexpr value size_of(value a) {
  if (a.size() > 0) return {a.on, a.on->constant(a.size())};
  return {a.on, a.on->emit({.code = op::constant, .a = short(a.index), .size = 1})};
}
constexpr value mean(value a) { return sum(a) / size_of(a); }
// The number of the largest feature, the first of equal ones. It has no gradient.
constexpr value argmax(value a) {
  tape& t = *a.on;
  if (a.size() == 0)
    return t.fail({.rule = "argmax of what has an open size",
                   .source = described(t.written, a.index),
                   .fix = "write its rows down: W<\"gate\", rows>(x)"}),
           a;
  const value number{&t, t.own(own_input::count, a.size())}, last{&t, t.constant(1 - a.size())};
  return -max(select(equal(a, max(a)), -number, last));
}
// (a - mean a) / sqrt(variance of a + epsilon): layer normalisation without what is learned (Ba et al. 2016)
constexpr auto normalize(std::same_as<value> auto a, double epsilon = 1e-5) {
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

// --- tokens ------------------------------------------------------------------------------------------------
// In training 1 with this probability, else 0: one number for each row, and for each step where `like` has steps. 0 where
// nothing is trained.
template <auto Probability>
constexpr value bernoulli(value like) {
  tape& t = *like.on;
  constexpr double share = static_cast<double>(Probability);
  if (!(share >= 0 && share <= 1))
    return t.fail({.rule = "bernoulli<probability>(x) needs a probability from 0 to 1",
                   .fix = "write the share of ones: bernoulli<0.5>(x)"}),
           like;
  const bool has_axes = !t.written.varies.empty();
  if (has_axes && t.has_axis(like.index, dimension::inner))
    return t.fail({.rule = "bernoulli<probability>(x) of what each step sees of another sequence",
                   .source = described(t.written, like.index),
                   .fix = "name a value of the step itself"}),
           like;
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
    return t.fail({.rule = "one_hot<size>(token) needs a positive size", .fix = "one_hot<10>(token)"}), token;
  return equal(value{&t, t.own(own_input::count, N)}, token);
}

// The feature whose number is the token; 0 for a token below 0.
constexpr value pick(value a, value token) { return sum(select(one_hot(token, a), a, 0)); }

// --- over an axis: the steps of a sequence up to its length; a sequence of length 0 gives zeros -------------
// The result of a sum or a maximum no longer has the axis; beside a value that has it, it is the same at every step.
struct axis {
  label name{};
};
// The axis of a value, for a layer that does not know how its user called it.
constexpr axis along(value a) {
  tape& t = *a.on;
  const auto has = [&](dimension axis) { return t.has_axis(a.index, axis) && !t.name_of(axis).empty(); };
  if (!has(dimension::time) && !has(dimension::inner))
    t.fail({.rule = "along(x) is the axis of x, and x has none",
            .source = described(t.written, a.index),
            .fix = "name a value that varies from step to step"});
  if (has(dimension::time) && has(dimension::inner))
    t.fail({.rule = "along(x) is the axis of x, and x has two",
            .source = described(t.written, a.index),
            .fix = sentence("name one: \"")
                       .append(t.name_of(dimension::time).view())
                       .append("\" or \"")
                       .append(t.name_of(dimension::inner).view())
                       .append("\"")});
  return {t.name_of(has(dimension::inner) ? dimension::inner : dimension::time)};
}

namespace detail {
// The axis of this name, which the function goes along; if there is none, any, as the equation is refused.
constexpr dimension require_axis(characters function, value a, const axis& over) {
  tape& t = *a.on;
  const auto fail = [&](sentence rule, sentence fix) {
    t.fail({.rule = rule, .source = described(t.written, a.index), .fix = fix});
    return dimension::time;
  };
  const sentence what = sentence(function).append("<\"").append(over.name.view()).append("\">");
  const label &time = t.name_of(dimension::time), &inner = t.name_of(dimension::inner);
  if (time.empty() && inner.empty())
    return fail(sentence(what).append(" goes along a sequence, and what it is given is none"),
                "give an input a steps<bound>; a cell's step sees one step alone");
  if (over.name != time && over.name != inner) {
    sentence known =
        time.empty() || inner.empty() ? "the sources have the axis '" : "the sources have the axes '";
    known.append((time.empty() ? inner : time).view()).append("'");
    if (!time.empty() && !inner.empty()) known.append(" and '").append(inner.view()).append("'");
    return fail(sentence(what).append(": no source has this axis"), known);
  }
  const dimension axis = over.name == time ? dimension::time : dimension::inner;
  if (!t.has_axis(a.index, axis))
    return fail(sentence(what).append(" of what is the same at every step"),
                "it has been reduced before, or comes from a source without the axis");
  const bool has_both = t.has_axis(a.index, dimension::time) && t.has_axis(a.index, dimension::inner);
  if (axis == dimension::time && has_both && function != spelling(op::axis_sum))
    return fail(sentence(what).append(" of what varies along '").append(inner.view()).append("', too"),
                sentence("of such a value it goes along '")
                    .append(inner.view())
                    .append("' alone: exchange the sources, or use sum"));
  return axis;
}
constexpr value over_axis(op code, value a, const axis& over) {
  const dimension axis = require_axis(spelling(code), a, over);
  return {a.on, a.on->over_axis(code, a.index, axis)};
}
}  // namespace detail

constexpr value sum(value a, const axis& over) { return detail::over_axis(op::axis_sum, a, over); }
constexpr value max(value a, const axis& over) { return detail::over_axis(op::axis_max, a, over); }
constexpr value softmax(value a, const axis& over) { return detail::over_axis(op::axis_softmax, a, over); }
// The number of each step, from 0, and how many there are.
constexpr value position_of(value a, const axis& over) {
  return {a.on, a.on->own(position_along(detail::require_axis("position", a, over)))};
}
constexpr value length_of(value a, const axis& over) {
  return {a.on, a.on->own(length_along(detail::require_axis("length", a, over)))};
}
constexpr value mean(value a, const axis& over) { return sum(a, over) / max(length_of(a, over), 1); }
constexpr value first(value a, const axis& over) {
  return sum(select(equal(position_of(a, over), 0), a, 0), over);
}
constexpr value last(value a, const axis& over) {
  return sum(select(equal(position_of(a, over), length_of(a, over) - 1), a, 0), over);
}
constexpr value log_softmax(value a, const axis& over) {
  const value shifted = a - stop_gradient(max(a, over));
  return shifted - log(sum(exp(shifted), over));
}
constexpr value concat(value a, value b);

// a as it was K steps earlier (K < 0: as it will be -K steps later), 0 where the sequence has no such step.
template <int K>
constexpr value shift(value a, const axis& over) {
  const dimension axis = detail::require_axis("shift", a, over);
  if (a.on->is_grid[static_cast<int>(axis)])
    a.on->fail({.rule = sentence("shift<\"")
                            .append(over.name.view())
                            .append("\"> goes along a sequence, and this is a grid"),
                .source = described(a.on->written, a.index),
                .fix = "put a node in front of it: unfold2d<3, 3> has the places around each"});
  return {a.on, a.on->shift(a.index, K, axis)};
}
// The values of N steps around each, side by side, the earliest first; neighbours are Dilation steps apart. 0 where the
// sequence has no such step. Of an even N, one more lies behind than ahead.
template <int N, int Dilation = 1>
constexpr value window(value a, const axis& over) {
  if constexpr (N < 1 || Dilation < 1) {
    a.on->fail(
        {.rule = "window<steps, \"time\", dilation> needs at least 1 step, and a dilation of at least 1",
         .fix = "window<3, \"time\">(x) are the step before, this one, and the next"});
    return a;
  } else {
    value all = shift<N / 2 * Dilation>(a, over);
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((all = concat(all, shift<(N / 2 - 1 - I) * Dilation>(a, over))), ...);
    }
    (std::make_integer_sequence<int, N - 1>{});
    return all;
  }
}
template <int K, text Axis>
constexpr value shift(value a) {
  return shift<K>(a, axis{Axis.view()});
}
template <int N, text Axis, int Dilation = 1>
constexpr value window(value a) {
  return window<N, Dilation>(a, axis{Axis.view()});
}

template <text Axis>
constexpr value sum(value a) {
  return sum(a, axis{Axis.view()});
}
template <text Axis>
constexpr value mean(value a) {
  return mean(a, axis{Axis.view()});
}
template <text Axis>
constexpr value first(value a) {
  return first(a, axis{Axis.view()});
}
template <text Axis>
constexpr value last(value a) {
  return last(a, axis{Axis.view()});
}
template <text Axis>
constexpr value position_of(value a) {
  return position_of(a, axis{Axis.view()});
}
template <text Axis>
constexpr value length_of(value a) {
  return length_of(a, axis{Axis.view()});
}
template <text Axis>
constexpr value max(value a) {
  return max(a, axis{Axis.view()});
}
template <text Axis>
constexpr value softmax(value a) {
  return softmax(a, axis{Axis.view()});
}
template <text Axis>
constexpr value log_softmax(value a) {
  return log_softmax(a, axis{Axis.view()});
}
// a, its steps on an axis of their own, under a name of the equation's choice: each position of the other values sees
// all of them. So a sequence meets another, or itself. Without a name it is that of along(a).
constexpr value as_axis(value a, const axis& called = {"its own"}) {
  tape& t = *a.on;
  const auto fail = [&](const sentence& rule, const sentence& fix) {
    t.fail({.rule = rule, .source = described(t.written, a.index), .fix = fix});
    return a;
  };
  label &time = t.name_of(dimension::time), &inner = t.name_of(dimension::inner);
  const sentence what = sentence("as_axis<\"").append(called.name.view()).append("\">");
  const bool has_time = t.has_axis(a.index, dimension::time),
             has_inner = t.has_axis(a.index, dimension::inner);
  if (has_time == has_inner || (has_time && time.empty()))
    return fail(
        sentence(what).append(has_time && has_inner ? " of what has two axes" : " of what has no axis"),
        "give it a sequence");
  if (time == called.name)
    return fail(sentence(what).append(": the sequence itself is called so"), "write another name");
  if (has_time && !inner.empty() && inner != called.name)
    return fail(sentence(what)
                    .append(": there are two axes, '")
                    .append(time.view())
                    .append("' and '")
                    .append(inner.view())
                    .append("'"),
                "an equation has one beside that of its first sequence: make two nodes of it");
  inner = called.name;
  if (has_time) t.is_grid[1] = t.is_grid[0], t.bound[1] = t.bound[0];
  return has_inner ? a : value{&t, t.emit(op::turn, a.index)};
}
template <text Name>
constexpr value as_axis(value a) {
  return as_axis(a, axis{Name.view()});
}

// The steps of the axis side by side: as many times the features as the axis has steps at most, zeros from the end of a
// sequence on. So what each step has with all of another sequence is a result: attention weights, to be read.
constexpr value as_features(value a, const axis& over) {
  tape& t = *a.on;
  const dimension axis = detail::require_axis("as_features", a, over);
  if (a.size() == 0)
    return t.fail({.rule = "as_features of what has an open size",
                   .source = described(t.written, a.index),
                   .fix = "write its rows down: W<\"gate\", rows>(x)"}),
           a;
  return {&t, t.as_features(a.index, axis)};
}
template <text Axis>
constexpr value as_features(value a) {
  return as_features(a, axis{Axis.view()});
}

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
constexpr value concat(value a, value b) { return {a.on, a.on->emit(op::concat, a.index, b.index)}; }
constexpr value concat(value a, value b, std::same_as<value> auto... more) {
  return concat(concat(a, b), more...);
}

namespace detail {
// Groups of features side by side, of each what f(group) makes of it.
constexpr value of_each_group(int groups, auto f) {
  value all = f(0);
  for (int g = 1; g < groups; ++g) all = concat(all, f(g));
  return all;
}
constexpr value group_of(value a, int group, int groups) {
  const int size = a.size() / groups;
  return {a.on, a.on->slice(a.index, group * size, size)};
}
// Do the features fill so many groups of one size?
constexpr bool require_groups(value a, int groups, characters function) {
  const bool has_groups = groups > 0, is_open = a.size() == 0;
  if (has_groups && !is_open && a.size() % groups == 0) return true;
  const sentence rule = sentence(function).append(" has ").append(groups).append(" groups of features:");
  const int whole = has_groups ? (a.size() / groups + 1) * groups : 0;
  a.on->fail({.rule = !has_groups ? sentence(function).append(" needs at least one group")
                      : is_open   ? sentence(function).append(" of what has an open size")
                                  : rule,
              .axis = has_groups && !is_open ? "features" : "",
              .expected = whole,
              .got = a.size(),
              .source = described(a.on->written, a.index),
              .fix = is_open ? "write its rows down: W<\"gate\", rows>(x)"
                             : "give it a multiple of the groups, or another number of groups"});
  return false;
}
}  // namespace detail
// The features of a and b in so many groups side by side: the dot product of each.
template <int Groups>
constexpr value dot(value a, value b) {
  tape& t = *a.on;
  if (!detail::require_groups(a, Groups, "dot") || !detail::require_groups(b, Groups, "dot")) return a;
  if (t.are_pairs(a.index, b.index)) return {&t, t.pair_dot(a.index, b.index, Groups)};
  return detail::of_each_group(
      Groups, [&](int g) { return dot(detail::group_of(a, g, Groups), detail::group_of(b, g, Groups)); });
}
// The sum over the axis of values, their features in as many groups as there are weights: each group with its own.
constexpr value weighted_sum(value weights, value values, const axis& over) {
  tape& t = *weights.on;
  const int groups = weights.size();
  if (groups < 1 || !detail::require_groups(values, groups, "weighted_sum")) return values;
  const dimension along = detail::require_axis("sum", values, over);
  if (t.are_weighted_pairs(weights.index, values.index, along))
    return {&t, t.pair_sum(weights.index, values.index, along)};
  return detail::of_each_group(groups, [&](int g) {
    return sum(detail::group_of(weights, g, groups) * detail::group_of(values, g, groups), over);
  });
}
template <text Axis>
constexpr value weighted_sum(value weights, value values) {
  return weighted_sum(weights, values, axis{Axis.view()});
}

// --- learned symbols ---------------------------------------------------------------------------------------
inline constexpr int inferred = 0;

template <text Letter, text Gate, int Rows>
struct matrix_symbol : detail::term {
  constexpr int write(tape& t) const {
    t.fail({.rule = detail::speak_of(Letter.view(), Gate.view(),
                                     " is a matrix, and stands without the value it multiplies"),
            .fix = "write W<\"gate\">(x)"});
    return t.constant(0);
  }
  constexpr value operator()(value x, std::same_as<value> auto... more) const {
    tape& t = *x.on;
    if (sizeof...(more) > 0)
      t.fail({.rule = detail::speak_of(Letter.view(), Gate.view(), " is a matrix, and takes"),
              .axis = "values",
              .expected = 1,
              .got = 1 + int(sizeof...(more)),
              .fix = "write W<\"gate\">(concat(x, h))"});
    if (Rows < 0)
      t.fail({.rule = "a matrix has a negative number of rows",
              .fix = "write W<\"gate\", rows>(x), or leave the rows out"});
    const int s = detail::find_symbol(t, Letter.view(), Gate.view(), Rows, -1);
    return {x.on, t.emit({.code = op::contract, .a = short(x.index), .first = s, .count = 1, .size = Rows})};
  }
};

// The letters of the literature: W and U multiply the input and the state, b is a bias; where a product has a
// bias of its own it is written b_W, b_U (PyTorch's bias_ih, bias_hh).
namespace equations {
template <text Gate = "", int Rows = inferred>
inline constexpr matrix_symbol<"W", Gate, Rows> W{};
template <text Gate = "", int Rows = inferred>
inline constexpr matrix_symbol<"U", Gate, Rows> U{};
template <text Gate = "", int Rows = inferred>
inline constexpr matrix_symbol<"V", Gate, Rows> V{};
template <text Gate = "">
inline constexpr vector_symbol<"b", Gate> b{};
template <text Gate = "">
inline constexpr vector_symbol<"b_W", Gate> b_W{};
template <text Gate = "">
inline constexpr vector_symbol<"b_U", Gate> b_U{};

// A learned matrix or vector under a name of one's own.
template <text Name, int Rows = inferred>
inline constexpr matrix_symbol<Name, "", Rows> matrix{};
template <text Name>
inline constexpr vector_symbol<Name, ""> vector{};
}  // namespace equations

// What an equation returns beside its value, under names: a node's further outputs.
struct named_results {
  list<value, max_sources> values{};
  list<label, max_sources> names{};  // of all but the first
};
template <text Name>
constexpr named_results with(named_results results, value also) {
  results.values.add(also), results.names.add(Name.view());
  return results;
}
// `return with<"weights">(context, weights)`: other nodes read "node.weights".
template <text Name>
constexpr named_results with(value result, value also) {
  named_results all;
  all.values.add(result);
  return with<Name>(all, also);
}

// What a cell's step returns: its next states, and its output where that is not the first state.
struct step_result {
  list<value, max_sources> states{};
  list<value, max_sources> outputs{};

  constexpr step_result emitting(std::same_as<value> auto... y) const {
    step_result r = *this;
    r.outputs = {};
    (r.outputs.add(y), ...);
    return r;
  }
};
template <Operand... States>
requires(... || std::same_as<States, value>) constexpr step_result next(States... states) {
  tape* const t = detail::tape_of(states...);
  step_result r;
  (r.states.add({t, detail::write(*t, states)}), ...);
  r.outputs.add(r.states[0]);
  return r;
}

}  // namespace tenon::ir

namespace tenon {
namespace equations = ir::equations;
using ir::next;
}  // namespace tenon
