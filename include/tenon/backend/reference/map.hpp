// map: the fused elementwise kernel, one element at a time.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/reference/tag.hpp"
#include "tenon/program/kernel.hpp"

#include <limits>

namespace tenon::backend {

// out_s[t, r, j] = f(in_l[t, r, j] ...) for j < Kernel::body.width, added to what stands there if the store says
// so, or the sum or maximum of f over j.
// loads[l] [steps, rows, width or 1], stores[s] likewise. A store may stand where a load stands, row for row.
template <class Kernel, class T>
void map(reference, int steps, int rows, const operand<const T>* loads, const operand<T>* stores) {
  constexpr int load_count = Kernel::body.loads.size, store_count = Kernel::body.stores.size;
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r) {
      T reduced[store_count + 1];
      for (int s = 0; s < store_count; ++s)
        reduced[s] =
            Kernel::body.stores[s].reduction == op::row_max ? -std::numeric_limits<T>::infinity() : T(0);
      for (int j = 0; j < Kernel::body.width; ++j) {
        T loaded[load_count + 1], local[Kernel::body.code.size + 1];
        for (int l = 0; l < load_count; ++l)
          loaded[l] =
              loads[l].data[t * loads[l].step + r * loads[l].row + (Kernel::body.loads[l].broadcast ? 0 : j)];
        evaluate<Kernel>(loaded, local);
        for (int s = 0; s < store_count; ++s) {
          const T y = local[Kernel::body.stores[s].local];
          switch (Kernel::body.stores[s].reduction) {
            case op::row_sum:
              reduced[s] += y;
              break;
            case op::row_max:
              reduced[s] = reduced[s] < y ? y : reduced[s];
              break;
            default:
              T& to = stores[s].data[t * stores[s].step + r * stores[s].row + j];
              to = Kernel::body.stores[s].accumulates() ? to + y : y;
          }
        }
      }
      for (int s = 0; s < store_count; ++s)
        if (Kernel::body.stores[s].reduction != op::copy)
          stores[s].data[t * stores[s].step + r * stores[s].row] = reduced[s];
    }
}

}  // namespace tenon::backend
