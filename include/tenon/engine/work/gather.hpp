// work::gather: rows of a table.
#pragma once

#include "tenon/engine/work/operation.hpp"

namespace tenon::engine {

template <class T, class Backend, operation_facts Facts, class Program>
struct operation_run<T, Backend, Facts, Program, work::gather> {
  static void forward(const places<T>& p) {
    const binding<T> y = p.out(0);
    backend::gather<Facts.size>(Backend{}, p.steps() * Facts.batch, p.tokens(), p.c.parameters + p.o.table,
                                y.data, y.row);
  }
  static void backward(const places<T>& p) {
    const binding<T> g = p.adjoint(0);
    backend::scatter_add<Facts.size>(Backend{}, p.steps() * Facts.batch, p.tokens(), g.data, g.row,
                                     p.o.skipped_entry, p.c.gradients + p.o.table);
  }
};

}  // namespace tenon::engine
