// operation_run: one operation of a plan, as code. Each kind of operation specialises it in its file of this folder.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/engine/run/places.hpp"

namespace tenon::inline v0_1::engine {

// Has forward(p), backward(p) if it is differentiated, and pack(p, shard) if it packs weights. Program: the compiled
// program of apply and scan.
template <class T, class Backend, operation_signature Signature, class Program,
          operation_kind Kind = Signature.kind>
struct operation_run;

// Sets elements past the end of each sequence to zero, along an axis of the operation.
template <int D, int Batch, class Backend, class T>
void clear_past_end(Backend, const places<T>& p, const operand<T>& b, dimension axis = dimension::time) {
  if (p.full_steps(axis) < p.steps(axis))
    clear_past_end<D>(Backend{}, 0, p.steps(axis), Batch, p.lengths(axis),
                      backend::operand<T>{b.data, b.row, b.step});
}

// Dropout of an operation, with different random numbers for each training step and for each `noise` of its equation.
template <class Backend, class T>
void drop_elements(const places<T>& p, std::ptrdiff_t count, double rate, std::uint64_t noise, const T* x,
                   T* y) {
  const std::uint64_t stream = static_cast<std::uint64_t>(p.o.laid_out) | noise << 60;
  if constexpr (backend::HasOwnMemory<Backend>)
    dropout_elements(Backend{}, count, rate, p.c.losses.numbers, stream, x, y);
  else dropout_elements(Backend{}, count, rate, p.c.inputs.seed, p.c.inputs.step << 16 | stream, x, y);
}

// Where a loss writes its results, in a backend's own memory. in_shard: what divides its sum in a shard of a batch.
template <class T>
backend::loss_numbers<T> numbers_of_loss(const places<T>& p, backend::loss_count in_shard) {
  return {p.c.losses.of_operations + p.o.number, p.c.losses.numbers, p.out(0).data,
          p.c.losses.is_of_shard ? in_shard : backend::loss_count::own};
}

}  // namespace tenon::inline v0_1::engine
