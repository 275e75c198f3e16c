// axes: equations along an axis: over the steps of a sequence, and from step to step.
#pragma once

#include "tenon/equation/arithmetic.hpp"

#include <limits>
#include <utility>

namespace tenon::inline v0_1::ir {

// --- over an axis: the steps of a sequence up to its length; a sequence of length 0 gives zeros -------------
// The result of a sum or a maximum no longer has the axis; with a value that has it, it is the same at every step.
struct axis {
  label name{};
};
// The axis of a value, for a layer that does not know the name its user gave it.
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
// The axis of this name, along which the function works. If there is none, the equation is refused.
constexpr dimension require_axis(characters function, value a, const axis& over) {
  tape& t = *a.on;
  const auto fail = [&](sentence rule, sentence fix) {
    t.fail({.rule = rule, .source = described(t.written, a.index), .fix = fix});
    return dimension::time;
  };
  const sentence what = sentence(function).append("<\"").append(over.name.view()).append("\">");
  const label &time = t.name_of(dimension::time), &inner = t.name_of(dimension::inner);
  if (time.empty() && inner.empty())
    return fail(sentence(what).append(" needs a sequence, got none"),
                "give an input a steps<bound>; a cell's step reads only one step");
  if (over.name != time && over.name != inner) {
    sentence known =
        time.empty() || inner.empty() ? "the sources have the axis '" : "the sources have the axes '";
    known.append((time.empty() ? inner : time).view()).append("'");
    if (!time.empty() && !inner.empty()) known.append(" and '").append(inner.view()).append("'");
    return fail(sentence(what).append(": no source has this axis"), known);
  }
  const dimension axis = over.name == time ? dimension::time : dimension::inner;
  if (!t.has_axis(a.index, axis))
    return fail(sentence(what).append(" needs a value along this axis, got one without it"),
                "it has been reduced before, or comes from a source without the axis");
  const bool has_both = t.has_axis(a.index, dimension::time) && t.has_axis(a.index, dimension::inner);
  if (axis == dimension::time && has_both && function != spelling(opcode::axis_sum))
    return fail(sentence(what)
                    .append(" needs a value without the axis '")
                    .append(inner.view())
                    .append("', got one with it"),
                sentence("here only '")
                    .append(inner.view())
                    .append("' is possible: exchange the sources, or use sum"));
  return axis;
}
// The same for functions that move values from step to step: a grid is refused.
constexpr dimension require_sequence(characters function, value a, const axis& over) {
  const dimension axis = require_axis(function, a, over);
  if (a.on->is_grid[static_cast<int>(axis)])
    a.on->fail({.rule = sentence(function)
                            .append("<\"")
                            .append(over.name.view())
                            .append("\"> needs a sequence, got a grid"),
                .source = described(a.on->written, a.index),
                .fix = "put unfold2d<3, 3> before it: that gives the neighbours of each place"});
  return axis;
}
constexpr value over_axis(opcode code, value a, const axis& over) {
  const dimension axis = require_axis(spelling(code), a, over);
  return {a.on, a.on->over_axis(code, a.index, axis)};
}
}  // namespace detail

constexpr value sum(value a, const axis& over) { return detail::over_axis(opcode::axis_sum, a, over); }
constexpr value max(value a, const axis& over) { return detail::over_axis(opcode::axis_max, a, over); }
// The scores, without those where is_hidden > 0: along an axis these have no weight in a softmax, and are less than all others in
// a maximum, whatever the others are. Where all are hidden, the softmax is 0.
constexpr value masked(value scores, Operand auto is_hidden) {
  return select(is_hidden, std::numeric_limits<double>::lowest(), scores);
}
constexpr value softmax(value a, const axis& over) {
  return detail::over_axis(opcode::axis_softmax, a, over);
}
// The number of each step, from 0, and the number of steps.
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
// log sum exp(a) over the steps, 0 if there are none. Its gradient is softmax(a, over).
constexpr value log_sum_exp(value a, const axis& over) {
  const value top = stop_gradient(max(a, over));
  return top + log(max(sum(exp(a - top), over), 1));  // the largest step adds 1
}

// The value of a K steps earlier (K < 0: -K steps later), 0 if the sequence has no such step.
template <int K>
constexpr value shift(value a, const axis& over) {
  return {a.on, a.on->shift(a.index, K, detail::require_sequence("shift", a, over))};
}
// From each sequence's last step to its first.
constexpr value reversed(value a, const axis& over) {
  return {a.on, a.on->over_axis(opcode::flip, a.index, detail::require_sequence("reversed", a, over))};
}
template <text Axis>
constexpr value reversed(value a) {
  return reversed(a, axis{Axis.view()});
}
// The values of N steps around each step, side by side, the earliest first; neighbours are Dilation steps apart. 0
// where the sequence has no such step. For an even N, there is one more earlier step than later ones.
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
// With the arguments in the other order: refused with a message.
template <text Axis, int K>
requires(!detail::is_no_name(Axis.view())) constexpr value shift(value a) {
  a.on->fail({.rule = "shift has its arguments in the other order",
              .fix = sentence("write shift<").append(K).append(", \"").append(Axis.view()).append("\">(x)")});
  return a;
}
template <text Axis, int N, int Dilation = 1>
requires(!detail::is_no_name(Axis.view())) constexpr value window(value a) {
  a.on->fail(
      {.rule = "window has its arguments in the other order",
       .fix = sentence("write window<").append(N).append(", \"").append(Axis.view()).append("\">(x)")});
  return a;
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
template <text Axis>
constexpr value log_sum_exp(value a) {
  return log_sum_exp(a, axis{Axis.view()});
}

}  // namespace tenon::inline v0_1::ir
