// A stage of many rows on tensor cores: a warp has all sums of some units of its rows; the block passes them through shared memory to the
// threads that compute the map, so that neighbouring threads have neighbouring units.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/cuda/several.hpp"
#include "tenon/backend/cuda/stage_map.hpp"
#include "tenon/backend/cuda/tensor_tile.hpp"
#include "tenon/backend/cuda/tile.hpp"

#include <cstddef>
#include <type_traits>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

template <class Stage>
struct stage_tensor {
  static constexpr int width = Stage::body.width, sums = Stage::stage.sums;
  static constexpr int products = Stage::stage.products.size;
  static constexpr int rows_together = 128, units_together = 16, warp_rows = 32;
  static constexpr int threads = rows_together / warp_rows * warp_size, stages = 3;
  static constexpr int row_groups = warp_rows / 8, unit_groups = units_together / 8;
  using left_side = tensor_side<rows_together, true>;
  template <int Columns>
  using right_side = tensor_side<Columns * units_together, false, unit_groups>;
  static constexpr int left_size = left_side::size, right_size = right_side<sums>::size;
  static constexpr int sums_size = rows_together * units_together * sums;
  static constexpr int tiles_size = stages * (left_size + right_size);
  static_assert(sums_size <= tiles_size);
  template <template <class, int> class Array>
  struct shared_memory {
    Array<float, tiles_size> numbers;  // tiles, then sums
  };
  // Do the sums fit in a lane's registers? Can weights be read four at a time? Are there two tiles for each multiprocessor? (With one, a
  // multiprocessor has four warps, which wait for each other: stage_tile is faster.)
  static constexpr bool fits = sums <= 4 && width % 4 == 0 && [] {
    for (const stage_product& p : Stage::stage.products)
      if (p.columns.size > sums) return false;
    return true;
  }();
  static constexpr bool fills(std::ptrdiff_t rows) {
    return std::ptrdiff_t(blocks_for(rows, rows_together)) * blocks_for(width, units_together) >=
           2 * enough_blocks;
  }
  // Can the rows and the weights be read four at a time?
  static bool reads(const stage_rows<float, float>* x) {
    for (int p = 0; p < products; ++p)
      if (!can_read<4>(x[p].data, x[p].row) || x[p].step % 4 != 0 || !can_read<4>(x[p].packed, width))
        return false;
    return true;
  }

  std::ptrdiff_t all_rows;  // of all steps
  stage_rows<float, float> x[products];
  stage_map<Stage, float> map;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t first_row = std::ptrdiff_t(thread.block.x) * rows_together;
    const int first_unit = thread.block.y * units_together;
    float sum[row_groups / 2][sums * unit_groups][4]{};
    each_number<products>([&](auto p) {
      add_product<p>(thread, first_row, first_unit, sum);
      thread.synchronise();  // the next product fetches its tiles, or the sums take their place
    });
    const int lane = thread.index % warp_size, row = thread.index / warp_size * warp_rows;
    TENON_UNROLL for (int i = 0; i < row_groups; ++i) {
      TENON_UNROLL for (int j = 0; j < sums * unit_groups; ++j) {
        TENON_UNROLL for (int n = 0; n < 2; ++n) {
          const int unit = right_side<1>::line(j % unit_groups, lane % 4 * 2 + n);
          thread.shared.numbers[place_of_sum(row + left_side::line(i, lane / 4), j / unit_groups, unit)] =
              sum[i / 2][j][i % 2 * 2 + n];
        }
      }
    }
    thread.synchronise();
    for (int item = thread.index; item < rows_together * units_together; item += threads) {
      const int r = item / units_together, unit = item % units_together;
      if (first_row + r >= all_rows || first_unit + unit >= width) continue;
      float of[sums];
      TENON_UNROLL for (int s = 0; s < sums; ++s) of[s] = thread.shared.numbers[place_of_sum(r, s, unit)];
      map.finish(first_row + r, first_unit + unit, of);
    }
  }

 private:
  TENON_HOST_DEVICE static constexpr int place_of_sum(int row, int s, int unit) {
    return (row * sums + s) * units_together + unit;
  }
  template <int P, class Thread>
  TENON_KERNEL void add_product(Thread& thread, std::ptrdiff_t first_row, int first_unit,
                                float (&sum)[row_groups / 2][sums * unit_groups][4]) const {
    constexpr int depth = Stage::stage.products[P].depth, columns = Stage::stage.products[P].columns.size;
    using right = right_side<columns>;
    constexpr int lefts = left_side::fours / threads, rights = (right::fours + threads - 1) / threads;
    const float* from[lefts];  // null for a missing row
    TENON_UNROLL for (int n = 0; n < lefts; ++n) {
      const std::ptrdiff_t of = first_row + left_side::four_at(n * threads + thread.index).line;
      from[n] = of < all_rows ? x[P].data + map.place(of, x[P].step, x[P].row) : nullptr;
    }
    const auto fetch = [&](int k, int stage) {
      if (k < depth) {
        TENON_UNROLL for (int n = 0; n < lefts; ++n) {
          const auto four = left_side::four_at(n * threads + thread.index);
          const int terms = from[n] == nullptr ? 0 : depth - k - four.term;
          thread.fetch_four(thread.shared.numbers, stage * left_size + four.place,
                            terms > 0 ? from[n] + k + four.term : x[P].data, first_of_four(terms));
        }
        TENON_UNROLL for (int n = 0; n < rights; ++n) {
          const int e = n * threads + thread.index;
          if (right::fours % threads != 0 && e >= right::fours) continue;
          const auto four = right::four_at(e);
          const int column = four.line / units_together, unit = first_unit + four.line % units_together;
          const int units = k + four.term < depth ? width - unit : 0;
          const float* const weights =
              x[P].packed + (std::ptrdiff_t(k + four.term) * columns + column) * width + unit;
          thread.fetch_four(thread.shared.numbers, stages * left_size + stage * right_size + four.place,
                            units > 0 ? weights : x[P].packed, first_of_four(units));
        }
      }
      thread.close_fetches();
    };
    TENON_UNROLL for (int stage = 0; stage + 1 < stages; ++stage) fetch(stage * tensor_terms, stage);
    int stage = 0;
    for (int k = 0; k < depth; k += tensor_terms) {
      thread.template wait_for_fetches<stages - 2>();
      thread.synchronise();
      fetch(k + (stages - 1) * tensor_terms, stage == 0 ? stages - 1 : stage - 1);
      float a[row_groups][4];
      left_side::template read<row_groups>(thread, thread.shared.numbers, stage * left_size,
                                           thread.index / warp_size * warp_rows, a);
      const tensor_factors<row_groups> left(a);
      each_number<columns>([&](auto c) {
        constexpr int of = Stage::stage.products[P].sums[c];
        float b[unit_groups][4];
        right::template read<unit_groups>(thread, thread.shared.numbers,
                                          stages * left_size + stage * right_size, c * units_together, b);
        multiply_add<row_groups / 2, unit_groups, of * unit_groups>(thread, left,
                                                                    tensor_factors<unit_groups>(b), sum);
      });
      stage = stage + 1 < stages ? stage + 1 : 0;
    }
  }
  TENON_HOST_DEVICE static constexpr int first_of_four(int count) {
    return count < 0 ? 0 : count < 4 ? count : 4;
  }
};
template <class Stage>
bool suits_tensor_cores(std::ptrdiff_t all_rows, const stage_rows<float, float>* x) {
  using kernel = stage_tensor<Stage>;
  return kernel::fills(all_rows) && kernel::reads(x) && has_tensor_cores<kernel>();
}
template <class Stage>
void run_stage_on_tensor_cores(int steps, int rows, const stage_rows<float, float>* x, const float* packed,
                               const operand<const float>* loads, const operand<float>* stores) {
  launch_stage<stage_tensor<Stage>, Stage>(steps, rows, x, packed, loads, stores);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
