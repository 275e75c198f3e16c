// plan_names: the inputs and outputs of a plan, found by their names; and what is known of an edge.
#pragma once

#include "tenon/graph/network.hpp"

#include <type_traits>

namespace tenon::inline v0_1::engine {

template <class Plan>
inline constexpr bool is_laid_out = Plan::net.edges.size > 0;  // false: an error is reported, add no other

// The edge of an input or output; -1: there is none of this name.
template <class Plan>
constexpr int input_edge(const name& path) {
  for (int i : Plan::net.inputs)
    if (Plan::net.edges[i].path == path) return i;
  return -1;
}
template <class Plan>
constexpr int output_edge(const name& path) {
  for (int o = 0; o < Plan::net.outputs.size; ++o)
    if (Plan::net.output_names[o] == path) return Plan::net.outputs[o];
  return -1;
}
// Is dL/dedge computed? Not if no parameter reaches the edge, nor in a session that only runs forward.
template <class Plan>
constexpr bool has_adjoint(int e) {
  return e >= 0 && Plan::active.has_adjoint[Plan::net.owner(e)];
}
// The inputs that a call passes: all of them, or in a step of a stream those that it steps along.
template <class Plan, bool OneStep = false>
inline constexpr auto given_inputs = [] {
  std::remove_cvref_t<decltype(Plan::net.inputs)> all;
  for (int e : Plan::net.inputs)
    if (!OneStep || Plan::is_stepped_edge(e)) all.add(e);
  return all;
}();

}  // namespace tenon::inline v0_1::engine
