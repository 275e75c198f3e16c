// places: where the edges and the private memory of operations stand during a run, and what a run works on.
//
// Padding: values and adjoints of sequences are zero past each row's end. Of an edge without a time axis only
// the rows that were given are computed; the others hold anything, and no sum over rows includes them.
#pragma once

#include "tenon/engine/memory_plan.hpp"
#include "tenon/engine/run_program.hpp"

#include <cstdint>

namespace tenon::engine {

// What a run works on. All pointers are set by the session.
template <class T>
struct run_context {
  T* memory = nullptr;                  // memory_of<Plan>.size elements
  T* packed = nullptr;                  // memory_of<Plan>.packed_size elements
  const int* const* tokens = nullptr;   // by edge: [time?, batch]; negative: padding
  const int* const* lengths = nullptr;  // by time axis: [batch]
  const int* steps = nullptr;           // by time axis: the longest length
  const int* full_steps = nullptr;      // by time axis: the shortest length; no row ends before it
  int rows = 0;                         // given; the lengths of the others are 0
  T* const* carried = nullptr;          // streaming, by carried state: [batch, hidden], of the last step
  T* const* carried_on = nullptr;       // and of this one
  bool starts = true;                   // streaming: the first step of a sequence, on initial states
  std::uint64_t seed = 0;               // dropout
  std::uint64_t step = 0;
  int counted = 0;  // rows with a target in the batch that this run is a part of; 0: the run is all of it
  T loss = 0;
  const T* parameters = nullptr;
  T* gradients = nullptr;  // differentiation: what the backward pass adds to
};

template <class Plan>
class places {
 public:
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr const auto& memory = memory_of<Plan>;
  static constexpr int B = Plan::batch;

  run_context<T>& c;

  T* at(int region) const { return c.memory + memory.regions[region].offset; }
  T* packed_weight(int o, int kernel) const {
    return c.packed + memory.packed[memory.operations[o].packed + kernel];
  }

  // Rows of an edge's value and adjoint. A slab or some columns of another edge are found there.
  binding<T> value(int e) const { return rows_of(e, memory.value[layout[e].owner]); }
  binding<T> adjoint(int e) const { return rows_of(e, memory.adjoint[layout[e].owner]); }
  static constexpr bool has_adjoint(int e) { return e >= 0 && Plan::active.has_adjoint[net.owner(e)]; }
  // Time steps of an edge in this run, or its slabs.
  int steps_of(int e) const {
    return net.edges[e].axis < 0 ? net.edges[e].slabs : c.steps[net.edges[e].axis];
  }

  // The axis that operation o walks along: that of its sequences; -1 where it has none.
  static constexpr int axis_of(int o) {
    for (int e : net.operations[o].in)
      if (e >= 0 && net.edges[e].axis >= 0) return net.edges[e].axis;
    return -1;
  }
  int walked(int o) const { return axis_of(o) < 0 ? 1 : c.steps[axis_of(o)]; }

  // Does the share of operation o in the adjoint of its input i have to be added to those of others?
  static constexpr bool adds_contribution(int o, int i) {
    const int e = net.owner(net.operations[o].in[i]);
    return memory.accumulates[e] && !(memory.first_operation[e] == o && memory.first_input[e] == i);
  }
  // Where operation o writes its share of the adjoint of its input i: the adjoint itself where it is the only
  // one, or the first.
  binding<T> contribution(int o, int i) const {
    const int e = net.operations[o].in[i];
    return adds_contribution(o, i) ? private_contribution(o, i) : adjoint(e);
  }
  // Memory of its own for a share that nobody wants, or that is added to others.
  binding<T> private_contribution(int o, int i) const {
    const int e = net.operations[o].in[i];
    const std::ptrdiff_t row = net.edges[e].size;
    return {at(memory.operations[o].contributions + i), row, net.edges[e].axis < 0 ? 0 : row * B};
  }
  // Zeros where rows of sequence E have ended.
  template <int E>
  void clear_past_end(const binding<T>& b) const {
    if constexpr (net.edges[E].axis >= 0) {
      constexpr int axis = net.edges[E].axis;
      if (c.full_steps[axis] < c.steps[axis])
        backend::clear_past_end<net.edges[E].size>(Backend{}, c.steps[axis], B, c.lengths[axis], b.data,
                                                   b.row);
    }
  }

 private:
  struct edge_layout {
    int owner = 0;
    std::ptrdiff_t offset = 0, row = 0, step = 0;  // elements, from the start of the owner
  };
  static constexpr auto layout = [] {
    list<edge_layout, net.edges.size> all;
    for (int e = 0; e < net.edges.size; ++e) {
      edge_layout mine{.owner = net.owner(e)};
      mine.row = net.edges[mine.owner].size;
      mine.step = net.edges[e].axis < 0 ? 0 : mine.row * B;
      for (int part = e; net.edges[part].whole >= 0; part = net.edges[part].whole)
        mine.offset += net.edges[part].column + std::ptrdiff_t(net.edges[part].slab) * B * mine.row;
      all.add(mine);
    }
    return all;
  }();

  binding<T> rows_of(int e, int region) const {
    return {at(region) + layout[e].offset, layout[e].row, layout[e].step};
  }
};

// One operation of a plan: forward(p) and backward(p), and pack(p) where it packs weights. Each kind of work
// specialises it in its file of engine/work/.
template <class Plan, int O, work What = Plan::net.operations[O].what>
struct operation_run;

}  // namespace tenon::engine
