// operation_run: one operation of a plan, as code. Each kind of work specialises it in its file of this folder.
#pragma once

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
    clear_past_end<D>(Backend{}, p.steps(axis), Batch, p.lengths(axis),
                      backend::operand<T>{b.data, b.row, b.step});
}

// Of the random numbers of an operation, at each step of training another.
template <class T>
std::uint64_t stream_of(const places<T>& p) {
  return (p.c.step << 16) | static_cast<std::uint64_t>(p.o.number);
}

}  // namespace tenon::engine
