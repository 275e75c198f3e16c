// operation_kind::windows: puts the neighbours of each window along an axis side by side.
#pragma once

#include "tenon/engine/run/operations/operation.hpp"
#include "tenon/program/kernel.hpp"

namespace tenon::inline v0_1::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct operation_run<T, Backend, Signature, Program, operation_kind::windows> {
  static void forward(const places<T>& p) {
    const operand<T> y = p.out(0);
    if constexpr (Signature.keeps_steps) return look_back(p, y);
    // Elements past a row's end are zero: lengths are needed only if `outside` is another number.
    const int* const lengths = p.o.windows->outside != 0 && !p.is_over_grid() ? p.lengths() : nullptr;
    gather_windows<D>(Backend{}, p.o.windows->over, p.windows_over(), Signature.batch, lengths,
                      constant_as<T>(p.o.windows->outside), as_source(p.in(0)), y);
    const int made = p.o.windows->made_axis;
    if (made >= 0 && p.c.inputs.full_steps[made] < p.c.inputs.steps[made])
      clear_past_end<Signature.size>(Backend{}, 0, p.c.inputs.steps[made], Signature.batch,
                                     p.c.inputs.lengths[made], y);
  }
  static void backward(const places<T>& p) {
    if constexpr (Signature.has(Signature.requires_adjoint, 0))
      sum_windows<D>(Backend{}, p.o.windows->over, p.windows_over(), Signature.batch, as_source(p.adjoint(0)),
                     p.contribution(0));
  }

 private:
  // In a stream, the neighbours of a window are its own step and earlier ones.
  static void look_back(const places<T>& p, const operand<T>& y) {
    const windows_along& w = p.o.windows->over.horizontal;
    const int room = w.span() + Signature.block - 1, steps = Signature.one_step() ? 1 : p.steps();
    T* const kept = p.at(region_kind::history);
    const auto outside = constant_as<T>(p.o.windows->outside);
    const int* const earlier = p.c.stream.earlier_steps;
    keep_rows<D>(Backend{}, steps, Signature.batch, room, earlier, as_source(p.in(0)), kept);
    for (int k = 0; k < w.size; ++k)
      earlier_rows<D>(Backend{}, steps, Signature.batch, room, earlier, (w.size - 1 - k) * w.dilation,
                      outside, kept, operand<T>{y.data + k * D, y.row, y.step});
  }
  static constexpr int D = Signature.features[0];
};

}  // namespace tenon::inline v0_1::engine
