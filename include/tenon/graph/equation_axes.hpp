// An equation over edges of a network: along which axes it reads them and its results vary, and which edges its mistakes speak of.
#pragma once

#include "tenon/equation/trace.hpp"
#include "tenon/graph/known_equations.hpp"
#include "tenon/graph/meeting_axes.hpp"
#include "tenon/graph/network.hpp"
#include "tenon/lowering/phases.hpp"

namespace tenon::ir {

// What is wrong with an equation speaks of its inputs by number: here, by the edges that they are; those of a step that are none are
// its states, behind x.
template <class Network>
constexpr void name_inputs(traced& t, const Network& net, const edges& in) {
  for (int i = 0; i < in.size && t.wrong; ++i)
    if (t.wrong.source == name("input ").append(i))
      t.wrong.source = in[i] < 0 ? name("state ").append(i - 1) : net.edges[in[i]].path;
}

// With a turn, the sequence that is read step by step is seen whole as well.
constexpr void see_turned(meeting_axes& found, bool has_turn) {
  if (has_turn && found.inner < 0) found.inner = found.time;
}
// The axis of a result that varies so; -1: none.
constexpr int axis_along(domain varies, const meeting_axes& found) {
  return varies == domain::rows ? found.time : varies == domain::inner ? found.inner : -1;
}

// Notes in the equation what its inputs vary along, where it was traced without axes, and in `made` what its results do and whether it
// has a turn. Returns what is wrong with it over these edges.
template <class Network>
constexpr problem find_axes(const Network& net, const edges& in, program& equation, applied_equation& made) {
  meeting_axes found = meet(net, in);
  if (found.wrong) return found.wrong;
  if (equation.varies.empty() && found.time >= 0) equation.varies = input_axes_of(net, in, found).varies;
  domain domains[max_instructions]{};
  for (int k = 0; k < equation.code.size; ++k) {
    domains[k] = domain_of(equation.varies, equation.code[k], domains);
    made.has_turn = made.has_turn || equation.code[k].code == op::turn;
  }
  see_turned(found, made.has_turn);
  if (const problem mistake = mistake_in_axes(net, equation, domains, found, in)) return mistake;
  for (int k : equation.outputs) made.varies.add(domains[k]);
  return mistake_in_results(made);
}

}  // namespace tenon::ir
