// The map of a stage: computes from the sums of a unit the values that go to memory, whichever kernel computed the sums.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/thrust/map.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

using thrust_detail::each_number;

// The map of one unit of one row.
template <class Stage, class T>
struct stage_map {
  static constexpr int width = Stage::body.width;
  static constexpr int load_count = Stage::body.loads.size, store_count = Stage::body.stores.size;

  int rows;  // of a step
  const T* packed;
  operand<const T> loads[load_count + 1];
  operand<T> stores[store_count + 1];

  // The offset of a row, counted over all steps.
  TENON_KERNEL std::ptrdiff_t place(std::ptrdiff_t row, std::ptrdiff_t step_size,
                                    std::ptrdiff_t row_size) const {
    const std::ptrdiff_t t = row < rows ? 0 : row / rows;
    return t * step_size + (row - t * rows) * row_size;
  }
  TENON_KERNEL void finish(std::ptrdiff_t row, int unit, const T* sum) const {
    T loaded[load_count + 1], local[Stage::body.code.size + 1];
    each_number<load_count>([&](auto l) {
      constexpr int of = Stage::body.loads[l].sum, vector = Stage::body.loads[l].packed;
      constexpr bool broadcast = Stage::body.loads[l].broadcast;
      if constexpr (vector >= 0) loaded[l] = packed[vector * width + unit];
      else if constexpr (of < 0)
        loaded[l] = loads[l].data[place(row, loads[l].step, loads[l].row) + (broadcast ? 0 : unit)];
      if constexpr (of >= 0) loaded[l] = vector >= 0 ? loaded[l] + sum[of] : sum[of];
    });
    evaluate<Stage>(loaded, local);
    each_number<store_count>([&](auto s) {
      constexpr map_store store = Stage::body.stores[s];
      static_assert(store.reduction == opcode::copy && !store.accumulates());
      stores[s].data[place(row, stores[s].step, stores[s].row) + unit] = local[store.local];
    });
  }
};
template <class Stage, class T>
stage_map<Stage, T> map_of_stage(int rows, const T* packed, const operand<const T>* loads,
                                 const operand<T>* stores) {
  stage_map<Stage, T> map{};
  map.rows = rows;
  map.packed = packed;
  for (int l = 0; l < map.load_count; ++l) map.loads[l] = loads[l];
  for (int s = 0; s < map.store_count; ++s) map.stores[s] = stores[s];
  return map;
}

// Runs a stage by a kernel in whose blocks many rows have many units.
template <class Kernel, class Stage, class T, class W>
void launch_stage(int steps, int rows, const stage_rows<T, W>* x, const T* packed,
                  const operand<const T>* loads, const operand<T>* stores) {
  Kernel one{};
  one.all_rows = std::ptrdiff_t(steps) * rows;
  one.map = map_of_stage<Stage>(rows, packed, loads, stores);
  for (int p = 0; p < Kernel::products; ++p) one.x[p] = x[p];
  launch(one,
         {blocks_for(one.all_rows, Kernel::rows_together), blocks_for(Kernel::width, Kernel::units_together)},
         "stage");
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
