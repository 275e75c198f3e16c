// work::windows: puts the neighbours of each window along an axis side by side.
#pragma once

#include "tenon/engine/run/operations/operation.hpp"
#include "tenon/program/kernel.hpp"

namespace tenon::engine {

template <class T, class Backend, operation_facts Facts, class Program>
struct operation_run<T, Backend, Facts, Program, work::windows> {
  static void forward(const places<T>& p) {
    const binding<T> y = p.out(0);
    if constexpr (Facts.keeps_steps) return look_back(p, y);
    // Elements past a row's end are zero: lengths are needed only if `outside` is another number.
    const int* const lengths = p.o.windows->outside != 0 && !p.is_over_grid() ? p.lengths() : nullptr;
    gather_windows<D>(Backend{}, p.o.windows->over, p.windows_over(), Facts.batch, lengths,
                      constant_as<T>(p.o.windows->outside), detail::as_operand(as_source(p.in(0))),
                      detail::as_operand(y));
    const int made = p.o.windows->made_axis;
    if (made >= 0 && p.c.full_steps[made] < p.c.steps[made])
      clear_past_end<Facts.size>(Backend{}, 0, p.c.steps[made], Facts.batch, p.c.lengths[made],
                                 detail::as_operand(y));
  }
  static void backward(const places<T>& p) {
    if constexpr (Facts.has(Facts.requires_adjoint, 0))
      sum_windows<D>(Backend{}, p.o.windows->over, p.windows_over(), Facts.batch,
                     detail::as_operand(as_source(p.adjoint(0))), detail::as_operand(p.contribution(0)));
  }

 private:
  // One step at a time: the neighbours of a window are this step and earlier ones.
  static void look_back(const places<T>& p, const binding<T>& y) {
    const windows_along& w = p.o.windows->over.horizontal;
    T* const kept = p.at(p.o.own.history);
    const auto outside = constant_as<T>(p.o.windows->outside);
    const binding<T> x = p.in(0);
    keep_rows<D>(Backend{}, Facts.batch, w.span(), p.c.earlier_steps, x.data, x.row, kept);
    for (int k = 0; k < w.size; ++k)
      earlier_rows<D>(Backend{}, Facts.batch, w.span(), p.c.earlier_steps, (w.size - 1 - k) * w.dilation,
                      outside, kept, y.data + k * D, y.row);
  }
  static constexpr int D = Facts.features[0];
};

}  // namespace tenon::engine
