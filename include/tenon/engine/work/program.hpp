// program_operation: an operation that runs a program: its symbols, packed weights, buffers and saved values.
#pragma once

#include "tenon/engine/places.hpp"
#include "tenon/meta/repeat.hpp"

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

  TENON_ALWAYS_INLINE static void bind_symbols(const places<Plan>& p, program_memory_type& m) {
    static constexpr auto offsets = symbol_offsets(net, op);
    repeat<offsets.size>([&](auto s) TENON_ALWAYS_INLINE { m.symbols[s] = p.c.parameters + offsets[s]; });
  }
  static void pack(const places<Plan>& p) {
    using schedule_type = typename compiled_program::forward_schedule;
    program_memory_type m;
    bind_symbols(p, m);
    T* packed[schedule_type::value.kernels.size + 1];
    for (int k = 0; k < schedule_type::value.kernels.size; ++k) packed[k] = p.packed_weight(O, k);
    pack_parameters<schedule_type, Backend>(m.symbols, packed);
    if constexpr (Plan::training && Plan::active.differentiated[O]) {
      using backward = typename compiled_program::backward_schedule;
      T* packed_backward[backward::value.kernels.size + 1];
      for (int k = 0; k < backward::value.kernels.size; ++k)
        packed_backward[k] = p.packed_weight(O, schedule_type::value.kernels.size + k);
      pack_parameters<backward, Backend>(m.symbols, packed_backward);
    }
    if constexpr (Plan::tables[O] >= 0 && !Plan::training) {
      bind_table(p, m);
      multiply_table(m, packed);  // once for all
    }
  }
  TENON_ALWAYS_INLINE static program_memory_type forward_memory(const places<Plan>& p) {
    constexpr int axis = places<Plan>::axis_of(O);
    program_memory_type m;
    m.batch = axis < 0 ? p.c.rows : B;
    m.rows = p.c.rows;
    m.lengths = nullptr;
    if constexpr (axis >= 0)
      if (p.c.full_steps[axis] < p.c.steps[axis]) m.lengths = p.c.lengths[axis];
    bind_symbols(p, m);
    repeat<compiled_program::forward_schedule::value.kernels.size>(
        [&](auto k) TENON_ALWAYS_INLINE { m.packed[k] = p.packed_weight(O, k); });
    repeat<compiled_program::forward_schedule::value.buffers.size>(
        [&](auto k) TENON_ALWAYS_INLINE { m.buffers[k] = p.at(mine.forward_buffers + k); });
    constexpr const program& forward = compiled_program::pair.forward;
    constexpr int outputs = compiled_program::outputs;  // what follows is kept for the backward program
    repeat<forward.outputs.size - outputs>([&](auto s) TENON_ALWAYS_INLINE {
      constexpr std::ptrdiff_t row = forward.code[forward.outputs[outputs + s]].size;
      m.out[outputs + s] = {p.at(mine.saved + s), row, row * B};
    });
    if constexpr (Plan::tables[O] >= 0) bind_table(p, m);
    return m;
  }
  static program_memory_type backward_memory(const places<Plan>& p, const program_memory_type& forward) {
    program_memory_type m = forward;
    static constexpr auto offsets = symbol_offsets(net, op);
    for (int s = 0; s < offsets.size; ++s) m.gradients[s] = p.c.gradients + offsets[s];
    if constexpr (Plan::tables[O] >= 0) m.table.gradient = p.c.gradients + Plan::table(O).offset;
    m.scratch = p.at(mine.scratch);
    for (int k = 0; k < compiled_program::backward_schedule::value.kernels.size; ++k)
      m.packed[k] = p.packed_weight(O, compiled_program::forward_schedule::value.kernels.size + k);
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

  // Before the forward program runs: in training the table has changed since the last run.
  static void prepare_table([[maybe_unused]] const program_memory_type& m) {
    if constexpr (Plan::tables[O] >= 0 && Plan::training) multiply_table(m, m.packed);
  }

 private:
  static void bind_table(const places<Plan>& p, program_memory_type& m) {
    constexpr const operation& gather = net.operations[Plan::tables[O]];
    constexpr const parameter& table = Plan::table(O);
    m.table = {.tokens = p.c.tokens[gather.in[0]],
               .entries = table.rows,
               .table = p.c.parameters + table.offset,
               .product = nullptr,
               .gradient = nullptr,
               .skipped = gather.skipped,
               .product_adjoint = nullptr,
               .table_adjoint = nullptr};
    if constexpr (Plan::training) {
      m.table.product = p.at(mine.table);
      m.table.product_adjoint = p.at(mine.table_adjoints),
      m.table.table_adjoint = p.at(mine.table_adjoints + 1);
    } else {
      m.table.product = p.packed_weight(O, compiled_program::forward_schedule::value.kernels.size);
    }
  }
  template <class Packed>
  static void multiply_table(const program_memory_type& m, const Packed& packed) {
    constexpr int product = [] {
      const schedule& s = compiled_program::forward_schedule::value;
      for (int k = 0; k < s.kernels.size; ++k)
        if (s.kernels[k].of_table) return k;
      return -1;
    }();
    constexpr int N = Plan::table_columns(O), features = Plan::table(O).columns;
    backend::contract<N, features>(Backend{}, m.table.entries, m.table.table, features, packed[product],
                                   m.table.product, N);
  }
};

}  // namespace tenon::engine
