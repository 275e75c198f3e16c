// Runs a kernel in pieces, one for each thread of a session, if that pays.
#pragma once

#include "tenon/engine/plan/abilities.hpp"
#include "tenon/engine/plan/program_memory.hpp"
#include "tenon/engine/run/crew.hpp"

namespace tenon::inline v0_1::engine::detail {

// Calls f(piece) on each thread and returns true; or returns false, if one thread is to run the kernel.
template <class Backend, class T, program_counts C, class F>
inline bool share(const program_memory<T, C>& m, bool pays, F f) {
  if (m.threads == nullptr || !pays) return false;
  m.threads->template share<Backend>(f);
  return true;
}
// The same for a product of so many rows with a matrix of so many weights.
template <class Backend, class T, program_counts C, class F>
inline bool share_product(const program_memory<T, C>& m, int rows, long weights, F f) {
  return share<Backend>(m, rows * weights >= abilities_of<Backend, T>.sharing.multiply_adds_at_once, f);
}

}  // namespace tenon::inline v0_1::engine::detail
