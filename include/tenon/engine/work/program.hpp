// program_operation: an operation that runs a program: its symbols, packed weights, buffers and saved values.
#pragma once

#include "tenon/engine/places.hpp"

namespace tenon::engine {

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

  using program_memory_of = program_memory<T, Plan::template program_of<O>::counts>;

  static void bind_symbols(const places<Plan>& p, program_memory_type& m) {
    for (int s = 0; s < net.programs[op.program].symbols.size; ++s) {
      static constexpr auto offsets = [] {
        list<int, max_symbols> all;
        for (int k = 0; k < net.programs[net.operations[O].program].symbols.size; ++k)
          all.add(symbol_offset(net, net.operations[O], k));
        return all;
      }();
      m.symbols[s] = p.c.parameters + offsets[s];
      m.gradients[s] = p.c.gradients == nullptr ? nullptr : p.c.gradients + offsets[s];
    }
  }
  static T* packed_weight(const places<Plan>& p, int kernel) {
    return p.c.packed + memory_of<Plan>.packed[mine.packed + kernel];
  }
  static void pack(const places<Plan>& p) {
    using schedule_type = typename compiled_program::forward_schedule;
    program_memory_type m;
    bind_symbols(p, m);
    T* packed[schedule_type::value.kernels.size + 1];
    for (int k = 0; k < schedule_type::value.kernels.size; ++k) packed[k] = packed_weight(p, k);
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
      m.packed[k] = packed_weight(p, k);
    for (int k = 0; k < compiled_program::forward_schedule::value.buffers.size; ++k)
      m.buffers[k] = p.at(mine.forward_buffers + k);
    for (int s = compiled_program::outputs; s < compiled_program::pair.forward.outputs.size; ++s)
      m.out[s] = saved(p, s);
    return m;
  }
  // The s-th output of the forward program, one that is kept for the backward program.
  static binding<T> saved(const places<Plan>& p, int s) {
    const program& forward = compiled_program::pair.forward;
    const std::ptrdiff_t row = forward.code[forward.outputs[s]].size;
    return {p.at(mine.saved + s - compiled_program::outputs), row, row * B};
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

  static binding<const T> as_source(const binding<T>& b) { return {b.data, b.row, b.step}; }
};

}  // namespace tenon::engine
