// map: the fused elementwise kernel, one element at a time.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/reference/tag.hpp"
#include "tenon/program/kernel.hpp"

#include <concepts>
#include <limits>

namespace tenon::inline v0_1::backend {

// out_s[t, r, j] = f(in_l[t, r, j] ...) for j < Kernel::body.width, added to the old value if the store
// accumulates, or the sum or maximum of f over j.
// loads[l] [steps, rows, width or 1], stores[s] likewise. A store may use the memory of a load, row for row.
template <class Kernel, class T>
void map(reference, int steps, int rows, const operand<const T>* loads, const operand<T>* stores) {
  constexpr int load_count = Kernel::body.loads.size, store_count = Kernel::body.stores.size;
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r) {
      T reduced[store_count + 1];
      for (int s = 0; s < store_count; ++s)
        reduced[s] =
            Kernel::body.stores[s].reduction == opcode::row_max ? -std::numeric_limits<T>::infinity() : T(0);
      for (int j = 0; j < Kernel::body.width; ++j) {
        T loaded[load_count + 1], local[Kernel::body.code.size + 1];
        for (int l = 0; l < load_count; ++l)
          loaded[l] =
              loads[l].data[t * loads[l].step + r * loads[l].row + (Kernel::body.loads[l].broadcast ? 0 : j)];
        evaluate<Kernel>(loaded, local);
        for (int s = 0; s < store_count; ++s) {
          const T y = local[Kernel::body.stores[s].local];
          switch (Kernel::body.stores[s].reduction) {
            case opcode::row_sum:
              reduced[s] += y;
              break;
            case opcode::row_max:
              reduced[s] = reduced[s] < y ? y : reduced[s];
              break;
            default:
              T& to = stores[s].data[t * stores[s].step + r * stores[s].row + j];
              to = Kernel::body.stores[s].accumulates() ? to + y : y;
          }
        }
      }
      for (int s = 0; s < store_count; ++s)
        if (Kernel::body.stores[s].reduction != opcode::copy)
          stores[s].data[t * stores[s].step + r * stores[s].row] = reduced[s];
    }
}

// The map over `steps` steps from t on, for each row only before its end: later elements may be invalid (0 * inf) and must not
// be added to anything. Nothing is stored for rows that have ended.
template <class Kernel, std::derived_from<reference> Backend, class T>
void map_before_ends(Backend, int t, int steps, int rows, const int* lengths, const operand<const T>* loads,
                     const operand<T>* stores) {
  const auto moved = [](auto* operands, auto* to, int count, int step, int row) {
    for (int k = 0; k < count; ++k) {
      to[k] = operands[k];
      to[k].data += step * operands[k].step + row * operands[k].row;
    }
  };
  for (int n = 0; n < steps; ++n)
    for (int first = 0, end = 0; first < rows; first = end + 1) {
      for (end = first; end < rows && t + n < lengths[end];) ++end;
      if (end == first) continue;
      operand<const T> from[Kernel::body.loads.size + 1];
      operand<T> to[Kernel::body.stores.size + 1];
      moved(loads, from, Kernel::body.loads.size, n, first);
      moved(stores, to, Kernel::body.stores.size, n, first);
      map<Kernel>(Backend{}, 1, end - first, from, to);
    }
}

}  // namespace tenon::inline v0_1::backend
