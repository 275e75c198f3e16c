// operation_kind::gather: rows of a table.
#pragma once

#include "tenon/engine/run/operations/operation.hpp"

namespace tenon::inline v0_1::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct operation_run<T, Backend, Signature, Program, operation_kind::gather> {
  static void forward(const places<T>& p) {
    const operand<T> y = p.out(0);
    gather<Signature.size>(Backend{}, p.steps() * Signature.batch, p.tokens(),
                           p.c.memory.parameters + p.o.table, y.data, y.row);
  }
  static void backward(const places<T>& p) {
    const operand<const T> g = p.output_adjoint();
    // The caller's adjoint may be stored row by row; then the steps are added one by one.
    const bool is_dense = g.step == Signature.batch * g.row;
    const int steps = p.steps(), together = is_dense ? steps : 1;
    for (int t = 0; t < steps; t += together)
      if constexpr (Signature.by_frequency)
        scatter_add_by_frequency<Signature.size>(Backend{}, together * Signature.batch,
                                                 p.tokens() + std::ptrdiff_t(t) * Signature.batch,
                                                 steps * Signature.batch, p.tokens(), g.data + t * g.step,
                                                 g.row, p.o.skipped_entry, p.c.memory.gradients + p.o.table);
      else
        scatter_add<Signature.size>(Backend{}, together * Signature.batch,
                                    p.tokens() + std::ptrdiff_t(t) * Signature.batch, g.data + t * g.step,
                                    g.row, p.o.skipped_entry, p.c.memory.gradients + p.o.table);
  }
};

}  // namespace tenon::inline v0_1::engine
