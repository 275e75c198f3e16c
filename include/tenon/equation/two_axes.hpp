// two_axes: equations in which each step of one sequence sees all steps of another: the second axis, its steps as
// features, dot products and weighted sums of groups of features.
#pragma once

#include "tenon/equation/axes.hpp"

namespace tenon::inline v0_1::ir {

// Puts the steps of a on a second axis, named by the equation: each position of the other values sees
// all of them. In this way a sequence sees another one, or itself. Without a name, use along() of the result.
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
    return fail(sentence(what).append(has_time && has_inner ? " needs one axis, got two"
                                                            : " needs one axis, got none"),
                "give it a sequence");
  if (time == called.name)
    return fail(sentence(what).append(" needs a new name, got that of the sequence's axis"),
                "write another name");
  if (has_time && !inner.empty() && inner != called.name)
    return fail(sentence(what)
                    .append(": there are two axes, '")
                    .append(time.view())
                    .append("' and '")
                    .append(inner.view())
                    .append("'"),
                "an equation can have one axis besides that of its first sequence: split it into two nodes");
  inner = called.name;
  if (has_time) {
    t.is_grid[1] = t.is_grid[0];
    t.bound[1] = t.bound[0];
  }
  return has_inner ? a : value{&t, t.emit(opcode::turn, a.index)};
}
template <text Name>
constexpr value as_axis(value a) {
  return as_axis(a, axis{Name.view()});
}

// The steps of the axis side by side: the features times the bound of the axis, zeros past the end of a sequence. This
// turns a value for each pair of steps, such as attention weights, into a result that can be read.
constexpr value as_features(value a, const axis& over) {
  tape& t = *a.on;
  const dimension axis = detail::require_axis("as_features", a, over);
  if (a.size() == 0)
    return failed(a, {.rule = "as_features needs a known size, got an open one",
                      .source = described(t.written, a.index),
                      .fix = "write its rows down: W<\"gate\", rows>(x)"});
  return {&t, t.as_features(a.index, axis)};
}
template <text Axis>
constexpr value as_features(value a) {
  return as_features(a, axis{Axis.view()});
}

namespace detail {
// The results of f(group) for all groups of features, side by side.
constexpr value of_each_group(int groups, auto f) {
  value all = f(0);
  for (int g = 1; g < groups; ++g) all = concat(all, f(g));
  return all;
}
constexpr value group_of(value a, int group, int groups) {
  const int size = a.size() / groups;
  return {a.on, a.on->slice(a.index, group * size, size)};
}
// Do the features divide into `groups` groups of one size? If not, the equation is refused.
constexpr bool require_groups(value a, int groups, characters function) {
  const bool has_groups = groups > 0, is_open = a.size() == 0;
  if (has_groups && !is_open && a.size() % groups == 0) return true;
  const sentence rule = sentence(function).append(" has ").append(groups).append(" groups of features:");
  const int whole = has_groups ? (a.size() / groups + 1) * groups : 0;
  a.on->fail({.rule = !has_groups ? sentence(function).append(" needs at least one group")
                      : is_open   ? sentence(function).append(" needs a known size, got an open one")
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
// The features of a and b are Groups groups side by side. Returns the dot product of each group.
template <int Groups>
constexpr value dot(value a, value b) {
  tape& t = *a.on;
  if (!detail::require_groups(a, Groups, "dot") || !detail::require_groups(b, Groups, "dot")) return a;
  if (t.are_pairs(a.index, b.index)) return {&t, t.pair_dot(a.index, b.index, Groups)};
  return detail::of_each_group(
      Groups, [&](int g) { return dot(detail::group_of(a, g, Groups), detail::group_of(b, g, Groups)); });
}
// The weighted sum of values over the axis. Their features are in groups, one for each weight.
constexpr value weighted_sum(value weights, value values, const axis& over) {
  tape& t = *weights.on;
  const int groups = weights.size();
  if (groups == 0)
    t.fail({.rule = "weighted_sum needs weights of a known size, got an open one",
            .source = described(t.written, weights.index),
            .fix = "write their rows down: W<\"gate\", rows>(x)"});
  if (groups == 0 || !detail::require_groups(values, groups, "weighted_sum")) return values;
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

}  // namespace tenon::inline v0_1::ir
