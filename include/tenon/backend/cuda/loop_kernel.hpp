// What all kernels of stage_loop are given: see there.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/system.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

template <class Kernel, class T, class W>
Kernel loop_kernel(const loop_steps& steps, int rows, const int* lengths, const operand<const T>* states,
                   const W* const* weights, const T* vectors, const operand<const T>* loads,
                   const operand<T>* stores) {
  Kernel one{};
  one.steps = steps;
  one.rows = rows;
  one.lengths = lengths;
  one.vectors = vectors;
  for (int s = 0; s < Kernel::states; ++s) one.begin[s] = states[s];
  for (int p = 0; p < Kernel::products; ++p) one.weights[p] = weights[p];
  for (int l = 0; l < Kernel::load_count; ++l) one.loads[l] = loads[l];
  for (int s = 0; s < Kernel::store_count; ++s) one.stores[s] = stores[s];
  return one;
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
