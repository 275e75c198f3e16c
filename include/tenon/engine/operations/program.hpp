// program_operation: an operation that runs a program: its symbols, packed weights, buffers and saved values.
#pragma once

#include "tenon/engine/compiled.hpp"
#include "tenon/engine/operations/operation.hpp"
#include "tenon/meta/repeat.hpp"

namespace tenon::engine {

template <class T, class Backend, operation_facts Facts, class Program>
struct program_operation {
  using memory = program_memory<T, Program::counts>;
  using forward_schedule = typename Program::forward_schedule;
  using backward_schedule = typename Program::backward_schedule;
  static constexpr int inputs = Program::inputs, outputs = Program::outputs;
  static constexpr int forward_kernels = forward_schedule::value.kernels.size;
  static constexpr int first_input = Program::has_table ? 1 : 0;  // rows of a table are never made

  TENON_ALWAYS_INLINE static void bind_symbols(const places<T>& p, memory& m) {
    repeat<Program::source.symbols.size>(
        [&](auto s) TENON_ALWAYS_INLINE { m.symbols[s] = p.c.parameters + p.o.symbols[s]; });
  }
  static void pack(const places<T>& p) {
    memory m;
    bind_symbols(p, m);
    T* packed[forward_kernels + 1];
    for (int k = 0; k < forward_kernels; ++k) packed[k] = p.packed_weight(k);
    pack_parameters<forward_schedule, Backend>(m.symbols, packed);
    if constexpr (Program::has_gradient) {
      constexpr int kernels = backward_schedule::value.kernels.size;
      T* packed_backward[kernels + 1];
      for (int k = 0; k < kernels; ++k) packed_backward[k] = p.packed_weight(forward_kernels + k);
      pack_parameters<backward_schedule, Backend>(m.symbols, packed_backward);
    }
    if constexpr (Program::has_table && !Facts.training) {
      bind_table(p, m);
      multiply_table(m, packed);  // once for all
    }
  }
  TENON_ALWAYS_INLINE static memory forward_memory(const places<T>& p) {
    memory m;
    m.batch = Facts.walks ? Facts.batch : p.c.rows;
    m.rows = p.c.rows;
    m.lengths = nullptr;
    if constexpr (Facts.walks && !Facts.never_ends_early())
      if (p.full_steps() < p.steps()) m.lengths = p.lengths();
    bind_symbols(p, m);
    repeat<forward_kernels>([&](auto k) TENON_ALWAYS_INLINE { m.packed[k] = p.packed_weight(k); });
    repeat<forward_schedule::value.buffers.size>(
        [&](auto k) TENON_ALWAYS_INLINE { m.buffers[k] = p.at(p.o.own.forward_buffers + k); });
    constexpr const program& forward = Program::pair.forward;
    repeat<forward.outputs.size - outputs>([&](auto s) TENON_ALWAYS_INLINE {  // kept for the backward program
      constexpr std::ptrdiff_t row = forward.code[forward.outputs[outputs + s]].size;
      m.out[outputs + s] = {p.at(p.o.own.saved + s), row, row * Facts.batch};
    });
    if constexpr (Program::has_table) bind_table(p, m);
    return m;
  }
  static memory backward_memory(const places<T>& p, const memory& forward) {
    memory m = forward;
    for (int s = 0; s < Program::source.symbols.size; ++s) m.gradients[s] = p.c.gradients + p.o.symbols[s];
    if constexpr (Program::has_table) m.table.gradient = p.c.gradients + p.o.table;
    m.scratch = p.at(p.o.own.scratch);
    for (int k = 0; k < backward_schedule::value.kernels.size; ++k)
      m.packed[k] = p.packed_weight(forward_kernels + k);
    for (int k = 0; k < backward_schedule::value.buffers.size; ++k)
      m.buffers[k] = p.at(p.o.own.backward_buffers + k);
    for (int s = 0; s < Program::pair.saved.size; ++s) {
      const int output = Program::pair.saved[s];
      const binding<T>& from = forward.out[output];
      m.in[inputs + outputs + s] = {from.data, from.row, from.step};
      m.is_own[inputs + outputs + s] = output >= outputs;
    }
    return m;
  }

  // Before the forward program runs: in training the table has changed since the last run.
  static void prepare_table([[maybe_unused]] const memory& m) {
    if constexpr (Program::has_table && Facts.training) multiply_table(m, m.packed);
  }

 private:
  static void bind_table(const places<T>& p, memory& m) {
    m.table = {.tokens = p.tokens(),
               .entries = p.o.entries,
               .table = p.c.parameters + p.o.table,
               .product = nullptr,
               .gradient = nullptr,
               .skipped = p.o.skipped_entry,
               .product_adjoint = nullptr,
               .table_adjoint = nullptr};
    if constexpr (Facts.training) {
      m.table.product = p.at(p.o.own.table);
      m.table.product_adjoint = p.at(p.o.own.table_adjoints);
      m.table.table_adjoint = p.at(p.o.own.table_adjoints + 1);
    } else {
      m.table.product = p.packed_weight(forward_kernels);
    }
  }
  template <class Packed>
  static void multiply_table(const memory& m, const Packed& packed) {
    constexpr int kernel = [] {
      const schedule& s = forward_schedule::value;
      for (int k = 0; k < s.kernels.size; ++k)
        if (s.kernels[k].of_table) return k;
      return -1;
    }();
    constexpr const schedule& s = forward_schedule::value;
    constexpr int N = s.equations.code[s.kernels[kernel].value].size, features = Program::source.inputs[0];
    backend::contract<N, features>(Backend{}, m.table.entries, m.table.table, features, packed[kernel],
                                   m.table.product, N);
  }
};

}  // namespace tenon::engine
