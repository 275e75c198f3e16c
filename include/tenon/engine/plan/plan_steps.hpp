// plan_steps: the axis that each operation of a plan runs along, how many steps are in memory at once, and what a
// stream computes at each step or once, or keeps for later steps.
#pragma once

#include "tenon/graph/network.hpp"
#include "tenon/lowering/history.hpp"

namespace tenon::inline v0_1::engine {

template <const auto& Net, bool Streaming, int Batch, class... TimeBounds>
struct plan_steps {
  static constexpr const auto& net = Net;
  static constexpr bool streaming = Streaming;
  // Does a stream take blocks of steps? And how many steps at most; otherwise 1.
  static constexpr bool in_blocks = (false || ... || requires { TimeBounds::steps_in_block; });
  static constexpr int block = [] {
    int steps = 1;
    [[maybe_unused]] const auto look = [&]<class Option>() {
      if constexpr (requires { Option::steps_in_block; }) steps = Option::steps_in_block;
    };
    (look.template operator()<TimeBounds>(), ...);
    return steps;
  }();

  // The time axis that an operation runs along: its own, or that of its first sequence; -1: none.
  static constexpr int axis(int o) {
    if (net.operations[o].axis >= 0) return net.operations[o].axis;
    for (int e : net.operations[o].in)
      if (e >= 0 && net.edges[e].axis >= 0) return net.edges[e].axis;
    return -1;
  }
  // --- what a stream steps along -----------------------------------------------------------------------------
  // A stream takes one step, or a block of them, at a time along the axes of its outputs, or along all axes if no output
  // has one. It takes all other axes whole, and an axis that the steps of another see whole, such as an encoder's axis
  // in a decoder.
  // Bit a: axis a.
  static constexpr unsigned stepped_axes = [] {
    unsigned all = 0;
    if constexpr (streaming) {
      for (int e : net.outputs)
        if (net.edges[e].axis >= 0) all |= 1u << net.edges[e].axis;
      if (all == 0) all = (1u << net.axes.size) - 1;
      unsigned apart = all;
      for (int o = 0; o < net.operations.size; ++o)
        if (const int inner = net.operations[o].inner; inner >= 0 && inner != axis(o))
          apart &= ~(1u << inner);
      if (apart != 0) all = apart;
      for (int pass = 0; pass < net.axes.size; ++pass)  // steps of windows are steps of what they go over
        for (int a = 0; a < net.axes.size; ++a)
          if (const int from = net.axes[a].from; from >= 0 && (all >> a & 1u) != (all >> from & 1u))
            all |= 1u << a | 1u << from;
    }
    return all;
  }();
  static constexpr bool is_stepped_axis(int a) { return a >= 0 && (stepped_axes >> a & 1u) != 0; }
  static constexpr bool is_stepped_edge(int e) { return is_stepped_axis(net.edges[e].axis); }
  static constexpr bool is_whole_edge(int e) { return net.edges[e].axis >= 0 && !is_stepped_edge(e); }
  // Does operation o run on some steps of its axis at a time? Also true if it has no axis.
  static constexpr bool is_stepped(int o) { return streaming && (axis(o) < 0 || is_stepped_axis(axis(o))); }
  // What depends on the steps of a stream: edges that own memory, and operations. The other operations run once, after
  // their inputs have been given.
  struct step_dependence {
    bool edge[net.edges.size + 1]{}, operation[net.operations.size + 1]{};
  };
  static constexpr step_dependence at_each_step = [] {
    step_dependence d;
    if constexpr (streaming) {
      for (int e : net.inputs) d.edge[e] = is_stepped_edge(e);
      for (int o = 0; o < net.operations.size; ++o) {
        d.operation[o] = is_stepped_axis(axis(o));
        for (int e : net.operations[o].in)
          d.operation[o] = d.operation[o] || (e >= 0 && d.edge[net.owner(e)]);
        for (int e : net.operations[o].out) d.edge[net.owner(e)] = d.edge[net.owner(e)] || d.operation[o];
      }
    }
    return d;
  }();
  static constexpr bool runs_once(int o) { return streaming && !at_each_step.operation[o]; }
  // Besides its sequence, does a step of the program read values that are the same at every step, and nothing else?
  // Then what it computes from them is kept.
  static constexpr bool sees_what_stays(int o) {
    const operation& op = net.operations[o];
    if (!is_stepped(o) || runs_once(o) || op.program < 0) return false;
    const program_view& p = net.programs[op.program];
    bool found = false;
    for (int i = 0; i < op.in.size && i < p.varies.size; ++i) {
      if (has_axis(p.varies[i], dimension::time)) continue;
      if (op.in[i] < 0 || at_each_step.edge[net.owner(op.in[i])]) return false;
      found = true;
    }
    return found;
  }
  static constexpr int bound_of_axis(int axis) {
    int bound = net.axes[axis].bound;
    ((net.axes[axis].name == TimeBounds::name ? bound = TimeBounds::bound : bound), ...);
    const time_axis& a = net.axes[axis];
    return a.from >= 0 && !a.is_grid() ? a.made.horizontal.count(bound_of_axis(a.from)) : bound;
  }
  // Steps that are in memory at once.
  static constexpr int steps_of_axis(int axis) { return is_stepped_axis(axis) ? block : bound_of_axis(axis); }
  static constexpr int steps(int e) { return net.edges[e].axis < 0 ? 1 : steps_of_axis(net.edges[e].axis); }
  static constexpr int steps_of(int o) { return axis(o) < 0 ? 1 : steps_of_axis(axis(o)); }
  static constexpr int inner_steps_of(int o) {
    return net.operations[o].inner < 0 ? 1 : bound_of_axis(net.operations[o].inner);
  }
  // --- what a stream keeps of earlier steps ------------------------------------------------------------------
  // Does a step of operation o see a history of its own axis?
  static constexpr bool sees_history(int o) {
    return streaming && net.operations[o].inner >= 0 && is_stepped_axis(net.operations[o].inner);
  }
  // The most steps that an equation keeps for later ones; 0: none.
  static constexpr int kept_steps(int o) {
    const operation& op = net.operations[o];
    if (!streaming || !traits_of(op.kind).is_equation || !is_stepped_axis(axis(o))) return 0;
    return looks_back(net.programs[op.program]) ? bound_of_axis(axis(o)) : 0;
  }
  // The steps that windows keep; each window ends at its own step. There is room for a whole block after the steps that
  // its first window sees.
  static constexpr int kept_windows(int o) {
    const operation& op = net.operations[o];
    const bool steps = streaming && traits_of(op.kind).reads_neighbours && is_stepped_axis(axis(o));
    return steps ? op.over.horizontal.span() + block - 1 : 0;
  }
  // Does a step depend on how many there were before?
  static constexpr bool counts_steps(int o) {
    bool counts = kept_steps(o) > 0 || kept_windows(o) > 0;
    if constexpr (streaming)
      if (net.operations[o].program >= 0 && is_stepped_axis(axis(o)))
        for (const own_number& own : net.programs[net.operations[o].program].own)
          counts = counts || own.kind == own_input::position;
    return counts;
  }
  static constexpr bool is_inner_input(int o, int i) {
    const operation& op = net.operations[o];
    if (op.program < 0) return false;
    const program_view& p = net.programs[op.program];
    return i < p.varies.size && p.varies[i] == domain::inner;
  }
  // Rows of an edge, over all its layers or time steps.
  static constexpr long rows(int e) { return long(steps(e)) * net.edges[e].layers * Batch; }
};

}  // namespace tenon::inline v0_1::engine
