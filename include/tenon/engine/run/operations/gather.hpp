// work::gather: rows of a table.
#pragma once

#include "tenon/engine/run/operations/operation.hpp"

namespace tenon::engine {

template <class T, class Backend, operation_facts Facts, class Program>
struct operation_run<T, Backend, Facts, Program, work::gather> {
  static void forward(const places<T>& p) {
    const binding<T> y = p.out(0);
    gather<Facts.size>(Backend{}, p.steps() * Facts.batch, p.tokens(), p.c.parameters + p.o.table, y.data,
                       y.row);
  }
  static void backward(const places<T>& p) {
    const binding<const T> g = p.output_adjoint();
    // The caller's adjoint may be stored row by row; then the steps are added one by one.
    const bool is_dense = g.step == Facts.batch * g.row;
    const int steps = p.steps(), together = is_dense ? steps : 1;
    for (int t = 0; t < steps; t += together)
      if constexpr (Facts.by_frequency)
        scatter_add_by_frequency<Facts.size>(Backend{}, together * Facts.batch,
                                             p.tokens() + std::ptrdiff_t(t) * Facts.batch,
                                             steps * Facts.batch, p.tokens(), g.data + t * g.step, g.row,
                                             p.o.skipped_entry, p.c.gradients + p.o.table);
      else
        scatter_add<Facts.size>(Backend{}, together * Facts.batch,
                                p.tokens() + std::ptrdiff_t(t) * Facts.batch, g.data + t * g.step, g.row,
                                p.o.skipped_entry, p.c.gradients + p.o.table);
  }
};

}  // namespace tenon::engine
