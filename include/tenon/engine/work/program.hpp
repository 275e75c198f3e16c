// program_operation: an operation that runs a program: its symbols, packed weights, buffers and saved values.
#pragma once

#include "tenon/engine/places.hpp"

namespace tenon::engine {

template <class T>
binding<const T> as_source(const binding<T>& b) {
  return {b.data, b.row, b.step};
}

// Where the symbols of an operation's program stand in the block of parameters.
template <class Network>
constexpr list<int, max_symbols> symbol_offsets(const Network& net, const operation& o) {
  list<int, max_symbols> all;
  for (int k = 0; k < net.programs[o.program].symbols.size; ++k) all.add(symbol_offset(net, o, k));
  return all;
}

template <class Plan, int O>
struct program_operation {
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr const operation& op = net.operations[O];
  static constexpr const operation_memory& mine = memory_of<Plan>.operations[O];
  static constexpr int B = Plan::batch;
  using compiled_program = typename Plan::template program_of<O>;
  using program_memory_type = program_memory<T, compiled_program::counts>;

  static void bind_symbols(const places<Plan>& p, program_memory_type& m) {
    static constexpr auto offsets = symbol_offsets(net, op);
    for (int s = 0; s < offsets.size; ++s) {
      m.symbols[s] = p.c.parameters + offsets[s];
      m.gradients[s] = p.c.gradients == nullptr ? nullptr : p.c.gradients + offsets[s];
    }
  }
  static void pack(const places<Plan>& p) {
    using schedule_type = typename compiled_program::forward_schedule;
    program_memory_type m;
    bind_symbols(p, m);
    T* packed[schedule_type::value.kernels.size + 1];
    for (int k = 0; k < schedule_type::value.kernels.size; ++k) packed[k] = p.packed_weight(O, k);
    pack_weights<schedule_type, Backend>(m.symbols, packed);
  }
  static program_memory_type forward_memory(const places<Plan>& p) {
    constexpr int axis = places<Plan>::axis_of(O);
    program_memory_type m;
    m.batch = axis < 0 ? p.c.rows : B;
    m.rows = p.c.rows;
    if constexpr (axis >= 0) m.lengths = p.c.full_steps[axis] < p.c.steps[axis] ? p.c.lengths[axis] : nullptr;
    bind_symbols(p, m);
    for (int k = 0; k < compiled_program::forward_schedule::value.kernels.size; ++k)
      m.packed[k] = p.packed_weight(O, k);
    for (int k = 0; k < compiled_program::forward_schedule::value.buffers.size; ++k)
      m.buffers[k] = p.at(mine.forward_buffers + k);
    const program& forward = compiled_program::pair.forward;
    for (int s = compiled_program::outputs; s < forward.outputs.size; ++s) {  // kept for the backward program
      const std::ptrdiff_t row = forward.code[forward.outputs[s]].size;
      m.out[s] = {p.at(mine.saved + s - compiled_program::outputs), row, row * B};
    }
    return m;
  }
  static program_memory_type backward_memory(const places<Plan>& p, const program_memory_type& forward) {
    program_memory_type m = forward;
    for (int k = 0; k < compiled_program::backward_schedule::value.buffers.size; ++k)
      m.buffers[k] = p.at(mine.backward_buffers + k);
    for (int s = 0; s < compiled_program::pair.saved.size; ++s) {
      const binding<T>& from = forward.out[compiled_program::pair.saved[s]];
      m.in[compiled_program::inputs + compiled_program::outputs + s] = {from.data, from.row, from.step};
      m.is_own[compiled_program::inputs + compiled_program::outputs + s] =
          compiled_program::pair.saved[s] >= compiled_program::outputs;
    }
    return m;
  }
};

}  // namespace tenon::engine
