// An equation over edges of a network: the axes of its inputs and results, and the edges that its error messages name.
#pragma once

#include "tenon/equation/trace.hpp"
#include "tenon/graph/known_equations.hpp"
#include "tenon/graph/meeting_axes.hpp"
#include "tenon/graph/network.hpp"
#include "tenon/lowering/phases.hpp"

namespace tenon::inline v0_1::ir {

// The problem of an equation names inputs by number. This replaces the number by the path of the edge, or by a state's
// number: a step's inputs without an edge are its states, which follow x.
template <class Network>
constexpr void name_inputs(traced& t, const Network& net, const edges& in) {
  for (int i = 0; i < in.size && t.wrong; ++i)
    if (t.wrong.source == name("input ").append(i))
      t.wrong.source = in[i] < 0 ? name("state ").append(i - 1) : net.edges[in[i]].path;
}

// If the equation has a turn, it also sees whole the sequence that it reads step by step.
constexpr void see_turned(meeting_axes& found, bool has_turn) {
  if (has_turn && found.inner < 0) found.inner = found.time;
}
// The axis of a result that varies along `varies`; -1: none.
constexpr int axis_along(domain varies, const meeting_axes& found) {
  return varies == domain::rows ? found.time : varies == domain::inner ? found.inner : -1;
}

// If the equation was traced without axes, stores in it what its inputs vary along. Stores in `made` what its results
// vary along and whether it has a turn. Returns what is wrong with the equation over these edges.
template <class Network>
constexpr problem find_axes(const Network& net, const edges& in, program& equation, applied_equation& made) {
  meeting_axes found = meet(net, in);
  if (found.wrong) return found.wrong;
  if (equation.varies.empty() && found.time >= 0) equation.varies = input_axes_of(net, in, found).varies;
  domain domains[max_instructions]{};
  for (int k = 0; k < equation.code.size; ++k) {
    domains[k] = domain_of(equation.varies, equation.code[k], domains);
    made.has_turn = made.has_turn || equation.code[k].code == opcode::turn;
  }
  see_turned(found, made.has_turn);
  if (const problem mistake = unfit_axes(net, equation, domains, found, in)) return mistake;
  for (int k : equation.outputs) made.varies.add(domains[k]);
  return unfit_results(made);
}

}  // namespace tenon::inline v0_1::ir
