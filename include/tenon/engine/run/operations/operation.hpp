// operation_run: one operation of a plan, as code. Each kind of work specialises it in its file of this folder.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/engine/run/places.hpp"

namespace tenon::engine {

// forward(p), backward(p) if it is differentiated, and pack(p, shard) if it packs weights. Program: what is compiled for
// apply and scan.
template <class T, class Backend, operation_facts Facts, class Program, work What = Facts.what>
struct operation_run;

// Zeros where rows of a sequence have ended, of an axis of the operation's own.
template <int D, int Batch, class Backend, class T>
void clear_past_end(Backend, const places<T>& p, const binding<T>& b, dimension axis = dimension::time) {
  if (p.full_steps(axis) < p.steps(axis))
    clear_past_end<D>(Backend{}, 0, p.steps(axis), Batch, p.lengths(axis),
                      backend::operand<T>{b.data, b.row, b.step});
}

// Dropout of an operation: at each step of training, and for each `noise` of its equation, other random numbers.
template <class Backend, class T>
void drop_elements(const places<T>& p, std::ptrdiff_t count, double rate, std::uint64_t noise, const T* x,
                   T* y) {
  const std::uint64_t stream = static_cast<std::uint64_t>(p.o.number) | noise << 60;
  if constexpr (backend::HasOwnMemory<Backend>)
    dropout_elements(Backend{}, count, rate, p.c.numbers, stream, x, y);
  else dropout_elements(Backend{}, count, rate, p.c.seed, p.c.step << 16 | stream, x, y);
}

// Where a loss writes what it makes, in the memory of a backend's own.
template <class T>
backend::loss_numbers<T> numbers_of_loss(const places<T>& p) {
  return {p.c.losses + p.o.number, p.c.numbers, p.out(0).data};
}

}  // namespace tenon::engine
