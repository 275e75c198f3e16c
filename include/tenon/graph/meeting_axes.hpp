// meeting_axes: the time axes of an equation's inputs, and which axes its results may have.
#pragma once

#include "tenon/equation/trace.hpp"
#include "tenon/graph/network.hpp"
#include "tenon/lowering/phases.hpp"

namespace tenon::inline v0_1::ir {

using edges = list<int, max_sources>;

// Axes of a network by number; -1: none.
struct meeting_axes {
  int time = -1, inner = -1;
  problem wrong{};
};

// For sequences that are read step by step: the axis of the first, and a second axis if another sequence has one.
template <class Network>
constexpr meeting_axes meet(const Network& net, const edges& in) {
  meeting_axes found;
  for (int e : in) {
    const int axis = net.edges[e].axis;
    if (axis < 0 || axis == found.time || axis == found.inner) continue;
    if (found.time < 0) found.time = axis;
    else if (found.inner < 0) found.inner = axis;
    else if (!found.wrong)
      found.wrong = problem{.rule = "the sources have more than two time axes",
                            .source = net.edges[e].path,
                            .fix = "reduce one of them in a node of its own"};
  }
  return found;
}
// For sequences that every step sees whole.
template <class Network>
constexpr meeting_axes meet_inside(const Network& net, const edges& in) {
  meeting_axes found;
  for (int e : in) {
    const int axis = net.edges[e].axis;
    if (axis >= 0 && found.inner >= 0 && axis != found.inner && !found.wrong)
      found.wrong = problem{.rule = "each step reads two sequences with different time axes",
                            .source = net.edges[e].path,
                            .fix = "a step can read only one: put attention over the other after it"};
    if (axis >= 0) found.inner = axis;
  }
  return found;
}

// The axes in the form in which an equation is traced.
template <class Network>
constexpr input_axes input_axes_of(const Network& net, const edges& in, const meeting_axes& found) {
  input_axes all;
  if (found.time >= 0) {
    const time_axis& time = net.axes[found.time];
    all.time = time.name;
    all.time_is_grid = time.is_grid();
    all.time_bound = time.bound;
  }
  if (found.inner >= 0) {
    const time_axis& inner = net.axes[found.inner];
    all.inner = inner.name;
    all.inner_is_grid = inner.is_grid();
    all.inner_bound = inner.bound;
  }
  for (int e : in)
    all.varies.add(net.edges[e].axis < 0              ? domain::batch
                   : net.edges[e].axis == found.inner ? domain::inner
                                                      : domain::rows);
  return all;
}

// Checks that every result has one axis, that what each step sees is known before the steps run, and that a given
// sequence is read.
template <class Network>
constexpr problem unfit_axes(const Network& net, const program_view& p, const domain* domains,
                             const meeting_axes& axes, const edges& in) {
  bool reduces = false;
  for (const instruction& i : p.code) reduces = reduces || is_over_axis(i.code);
  for (int k : p.outputs) {
    if (domains[k] != domain::both) continue;
    if (reduces)
      return {.rule = "a result has a row for each pair of steps",
              .source = described(p, k),
              .fix = "reduce it over one of their axes: sum, mean or max; or keep it, as_features"};
    int other = in[0];
    for (int e : in)
      if (net.edges[e].axis == axes.inner) other = e;
    return {.rule = "the sources have different time axes",
            .source = net.edges[other].path,
            .fix = "combine the sequences by attention"};
  }
  if (const int k = detail::waits_for_itself(p, {}); axes.inner >= 0 && k >= 0)
    return {.rule = "each step needs a value known before the steps run, got one known after them",
            .source = described(p, k),
            .fix = "compute it in another node"};
  for (int e : in)
    if (net.edges[e].axis >= 0 && !reduces && domains[p.outputs[0]] == domain::batch)
      return {.rule = "the result is the same at every step: the equation does not use the sequence",
              .source = net.edges[e].path,
              .fix = "use its values, or name only sources without a time axis"};
  return {};
}

}  // namespace tenon::inline v0_1::ir
