// plan_activity: which operations of a plan run, forward and backward, and which edges have an adjoint.
#pragma once

#include "tenon/engine/plan/plan_steps.hpp"

namespace tenon::inline v0_1::engine {

template <const auto& Net, bool Training, bool InputGradients, bool Streaming, int Batch, class... TimeBounds>
struct plan_activity : plan_steps<Net, Streaming, Batch, TimeBounds...> {
  using steps_of_plan = plan_steps<Net, Streaming, Batch, TimeBounds...>;
  using steps_of_plan::axis, steps_of_plan::bound_of_axis, steps_of_plan::counts_steps,
      steps_of_plan::kept_steps, steps_of_plan::net, steps_of_plan::runs_once, steps_of_plan::sees_what_stays;
  static constexpr bool training = Training;
  static constexpr bool input_gradients = InputGradients;

  struct activity {
    bool alive[net.operations.size + 1]{};
    bool is_read[net.edges.size + 1]{};  // an edge that an operation or the caller reads
    bool differentiated[net.operations.size + 1]{};
    bool needs_gradient[net.edges.size + 1]{};  // an edge whose adjoint is needed
    bool has_adjoint[net.edges.size + 1]{};     // an edge that the loss depends on, and that needs a gradient
  };
  static constexpr activity active = [] {
    activity a;
    for (int e : net.outputs) a.is_read[net.owner(e)] = true;
    for (int e : net.losses) a.is_read[e] = true;
    for (int o = net.operations.size - 1; o >= 0; --o) {
      for (int e : net.operations[o].out) a.alive[o] = a.alive[o] || a.is_read[net.owner(e)];
      if (a.alive[o])
        for (int e : net.operations[o].in)
          if (e >= 0) a.is_read[net.owner(e)] = true;
    }
    if (!training) return a;
    if (input_gradients)
      for (int e : net.inputs) a.needs_gradient[e] = !net.edges[e].is_token();
    for (int o = 0; o < net.operations.size; ++o) {
      if (!a.alive[o]) continue;
      bool gradient = false;
      for (int p : net.operations[o].parameters) gradient = gradient || !net.parameters[p].frozen;
      for (int e : net.operations[o].in) gradient = gradient || (e >= 0 && a.needs_gradient[net.owner(e)]);
      if (gradient)
        for (int e : net.operations[o].out) a.needs_gradient[net.owner(e)] = true;
    }
    for (int e : net.losses) a.has_adjoint[e] = true;
    if (net.losses.empty())
      for (int e : net.outputs) a.has_adjoint[net.owner(e)] = a.needs_gradient[net.owner(e)];
    for (int o = net.operations.size - 1; o >= 0; --o) {
      for (int e : net.operations[o].out)
        a.differentiated[o] = a.differentiated[o] || (a.alive[o] && a.has_adjoint[net.owner(e)]);
      if (a.differentiated[o])
        for (int e : net.operations[o].in)
          if (e >= 0 && a.needs_gradient[net.owner(e)]) a.has_adjoint[net.owner(e)] = true;
    }
    return a;
  }();

  // Does an operation depend on how many steps there were before? most_steps: the most steps allowed; 0: any number.
  static constexpr bool has_counted_steps = [] {
    for (int o = 0; o < net.operations.size; ++o)
      if (active.alive[o] && counts_steps(o)) return true;
    return false;
  }();
  static constexpr int bounded_axis = [] {  // the shortest axis whose steps are all kept; -1: none
    int found = -1;
    for (int o = 0; o < net.operations.size; ++o)
      if (active.alive[o] && kept_steps(o) > 0 && sees_all_earlier(net.programs[net.operations[o].program]))
        if (found < 0 || kept_steps(o) < bound_of_axis(found)) found = axis(o);
    return found;
  }();
  static constexpr int most_steps = bounded_axis < 0 ? 0 : bound_of_axis(bounded_axis);

  // Does a stream compute anything only once?
  static constexpr bool begins = [] {
    for (int o = 0; o < net.operations.size; ++o)
      if (active.alive[o] && (runs_once(o) || sees_what_stays(o))) return true;
    return false;
  }();
};

}  // namespace tenon::inline v0_1::engine
