// operation_kind::dropout: zeros and a scale in training, the identity in inference. Every operation and every step has
// its own stream of random numbers.
#pragma once

#include "tenon/engine/run/operations/operation.hpp"

namespace tenon::inline v0_1::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct operation_run<T, Backend, Signature, Program, operation_kind::dropout> {
  static void forward(const places<T>& p) {
    const operand<T> x = p.in(0), y = p.out(0);
    if constexpr (!Signature.training) {
      copy_rows<D>(Backend{}, rows(p), x.data, x.row, y.data, y.row);
    } else {
      if (x.row != D) copy_rows<D>(Backend{}, rows(p), x.data, x.row, y.data, y.row);
      drop_elements<Backend>(p, std::ptrdiff_t(rows(p)) * D, p.o.rate, 0, x.row != D ? y.data : x.data,
                             y.data);
    }
  }
  static void backward(const places<T>& p) {
    if constexpr (Signature.has(Signature.requires_adjoint, 0))
      drop_elements<Backend>(p, std::ptrdiff_t(rows(p)) * D, p.o.rate, 0, p.adjoint(0).data,
                             p.contribution(0).data);
  }

 private:
  static constexpr int D = Signature.size;
  static int rows(const places<T>& p) { return p.steps() * Signature.batch; }
};

}  // namespace tenon::inline v0_1::engine
