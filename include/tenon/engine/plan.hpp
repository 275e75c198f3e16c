// plan: everything about running a network that is known at compile time: which operations are needed, which
// of them take part in the backward pass, and which programs they run.
#pragma once

#include "tenon/engine/compiled.hpp"

namespace tenon {

// --- what a user may ask of a plan -------------------------------------------------------------------------
template <int Rows>
struct batch {  // rows at once, at most
  static constexpr int rows = Rows;
};
struct input_gradients {};  // differentiation also delivers dL/dinput of the numeric inputs
template <class B>
struct on {  // the backend: on<backend::cpu>
  using backend = B;
};
template <class T>
struct scalar_type {  // float (default) or double
  using scalar = T;
};

namespace engine {

enum class purpose : unsigned char { inference, differentiation, streaming };

// What an operation asks for, gathered from its compiled program.
struct operation_needs {
  list<buffer, 64> forward{}, backward{};
  list<buffer, max_program_outputs> saved{};  // width, and whether there is one row for each time step
  list<long, 64> packed{};                    // elements of each packed weight, by kernel; 0: none
};

// The facts of a plan, as a type: graph, objective, purpose and options.
template <class G, class Objective, purpose Purpose, class Backend, class T, int Batch, bool InputGradients,
          class... TimeBounds>
struct plan {
  using net_type = laid_out<G, Objective>;
  using backend = Backend;
  using scalar = T;
  static constexpr const auto& net = net_type::net;
  static constexpr int batch = Batch;
  static constexpr bool training = Purpose == purpose::differentiation;
  static constexpr bool streaming = Purpose == purpose::streaming;
  static constexpr bool input_gradients = InputGradients;

  static constexpr int steps_of_axis(int axis) {
    if (streaming) return 1;
    int bound = net.axes[axis].bound;
    ((net.axes[axis].name == TimeBounds::name ? bound = TimeBounds::bound : bound), ...);
    return bound;
  }
  static constexpr int steps(int e) { return net.edges[e].axis < 0 ? 1 : steps_of_axis(net.edges[e].axis); }
  // Rows of an edge: of its slabs, or of its time steps.
  static constexpr long rows(int e) { return long(steps(e)) * net.edges[e].slabs * Batch; }

  // --- which operations run --------------------------------------------------------------------------------
  struct activity {
    bool alive[net.operations.size + 1]{};
    bool differentiated[net.operations.size + 1]{};
    bool needs_gradient[net.edges.size + 1]{};  // an edge whose adjoint somebody wants
    bool has_adjoint[net.edges.size + 1]{};     // an edge that the loss depends on, and that needs a gradient
  };
  static constexpr activity active = [] {
    activity a;
    bool wanted[net.edges.size + 1]{};
    for (int e : net.outputs) wanted[net.owner(e)] = true;
    if constexpr (net.loss >= 0) wanted[net.loss] = true;
    for (int o = net.operations.size - 1; o >= 0; --o) {
      for (int e : net.operations[o].out) a.alive[o] = a.alive[o] || wanted[net.owner(e)];
      if (a.alive[o])
        for (int e : net.operations[o].in)
          if (e >= 0) wanted[net.owner(e)] = true;
    }
    if (!training) return a;
    if (input_gradients)
      for (int e : net.inputs) a.needs_gradient[e] = !net.edges[e].is_token();
    for (int o = 0; o < net.operations.size; ++o) {
      if (!a.alive[o]) continue;
      bool gradient = !net.operations[o].parameters.empty();
      for (int e : net.operations[o].in) gradient = gradient || (e >= 0 && a.needs_gradient[net.owner(e)]);
      if (gradient)
        for (int e : net.operations[o].out) a.needs_gradient[net.owner(e)] = true;
    }
    if constexpr (net.loss >= 0) a.has_adjoint[net.loss] = true;
    else
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

  // --- compiled programs -----------------------------------------------------------------------------------
  static constexpr unsigned wanted(int o) {
    unsigned mask = 0;
    const operation& op = net.operations[o];
    for (int i = 0; i < op.in.size; ++i)
      if ((op.what == work::scan && i > 0) || (op.in[i] >= 0 && active.needs_gradient[net.owner(op.in[i])]))
        mask |= 1u << i;
    return mask;
  }
  static constexpr int states(int o) {
    return net.operations[o].what == work::scan ? net.operations[o].out.size - 1 : 0;
  }
  template <int O>
  using program_of = compiled<net_type, net.operations[O].program, states(O), wanted(O),
                              training && active.differentiated[O]>;

  template <int O>
  static constexpr operation_needs needs_of() {
    operation_needs needs;
    if constexpr (active.alive[O] && net.operations[O].program >= 0) {
      using compiled_program = program_of<O>;
      using forward = typename compiled_program::forward_schedule;
      needs.forward = forward::value.buffers;
      if (training) needs.backward = compiled_program::backward_schedule::value.buffers;
      domain domains[max_instructions]{};
      const program& p = compiled_program::pair.forward;
      for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p, p.code[k], domains);
      for (int s = compiled_program::outputs; s < p.outputs.size; ++s)
        needs.saved.add({p.code[p.outputs[s]].size, domains[p.outputs[s]] != domain::timeless});
      [&]<int... K>(std::integer_sequence<int, K...>) {
        (needs.packed.add(packed_elements < forward::value.kernels[K].what == pattern::contract
                              ? forward::value.kernels[K].value
                              : -1,
                          forward > ()),
         ...);
      }
      (std::make_integer_sequence<int, forward::value.kernels.size>{});
    }
    return needs;
  }
  template <int Value, class Schedule>
  static constexpr long packed_elements() {
    if constexpr (Value < 0) return 0;
    else {
      constexpr instruction i = Schedule::value.equations.code[Value];
      return packed_size<i.size, Schedule::value.equations.code[i.a].size>(Backend{});
    }
  }

  // Moments: operation o runs forward at o + 1 and backward at last_moment - 1 - o; 0 and last_moment are
  // before and after all.
  static constexpr int last_moment = 2 * net.operations.size + 2;
  static constexpr int forward_moment(int o) { return o + 1; }
  static constexpr int backward_moment(int o) { return last_moment - 1 - o; }
};

}  // namespace engine
}  // namespace tenon
