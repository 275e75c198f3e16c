// A stage of many rows: its products run in tiles of shared memory, one thread computes all sums of a unit, and then the map.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/cuda/stage_map.hpp"
#include "tenon/backend/cuda/tile.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// A thread has some rows of one unit. Two tiles of each side are in shared memory: one is read while the next one is fetched.
template <class Stage, class T, class W>
struct stage_tile {
  static constexpr int rows_together = 64, units_together = 16, terms = 16, thread_rows = 4;
  static constexpr int threads = rows_together / thread_rows * units_together;
  static constexpr int width = Stage::body.width, sums = Stage::stage.sums;
  static constexpr int products = Stage::stage.products.size;
  static constexpr int most_columns = [] {
    int most = 1;
    for (const stage_product& p : Stage::stage.products) most = p.columns.size > most ? p.columns.size : most;
    return most;
  }();
  static constexpr int left_stride = rows_together + 4;  // + 4 against bank conflicts
  static constexpr int left_size = terms * left_stride, right_size = terms * units_together * most_columns;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, 2 * left_size> left;
    Array<T, 2 * right_size> right;
  };
  // Do its sums fit in a thread's registers? Are there enough tiles to fill the card?
  static constexpr bool fits = sums <= 4;
  static constexpr bool fills(std::ptrdiff_t rows) {
    return std::ptrdiff_t(blocks_for(rows, rows_together)) * blocks_for(width, units_together) >=
           enough_blocks;
  }

  std::ptrdiff_t all_rows;  // of all steps
  stage_rows<T, W> x[products];
  stage_map<Stage, T> map;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t first_row = std::ptrdiff_t(thread.block.x) * rows_together;
    const int first_unit = thread.block.y * units_together;
    const int row = thread.index / units_together * thread_rows, unit = thread.index % units_together;
    T sum[thread_rows][sums]{};
    int now = 0;
    each_number<products>(
        [&](auto p) { add_product<p>(thread, first_row, first_unit, row, unit, now, sum); });
    TENON_UNROLL for (int i = 0; i < thread_rows; ++i) {
      if (first_row + row + i < all_rows && first_unit + unit < width)
        map.finish(first_row + row + i, first_unit + unit, sum[i]);
    }
  }

 private:
  // now: which of the two tiles is written next.
  template <int P, class Thread>
  TENON_KERNEL void add_product(Thread& thread, std::ptrdiff_t first_row, int first_unit, int row, int unit,
                                int& now, T (&sum)[thread_rows][sums]) const {
    constexpr int depth = Stage::stage.products[P].depth, columns = Stage::stage.products[P].columns.size;
    constexpr int lefts = rows_together * terms / threads, all_rights = columns * units_together * terms,
                  rights = (all_rights + threads - 1) / threads;
    const T* from[lefts];  // null for a missing row
    TENON_UNROLL for (int n = 0; n < lefts; ++n) {
      const std::ptrdiff_t of =
          first_row + place_in_tile<rows_together, terms, true>(n * threads + thread.index).across;
      from[n] = of < all_rows ? x[P].data + map.place(of, x[P].step, x[P].row) : nullptr;
    }
    T left[lefts], right[rights];
    const auto fetch = [&](int k) {
      TENON_UNROLL for (int n = 0; n < lefts; ++n) {
        const int term = k + thread.index % terms;
        left[n] = from[n] != nullptr && term < depth ? from[n][term] : T(0);
      }
      TENON_UNROLL for (int n = 0; n < rights; ++n) {
        const int e = n * threads + thread.index, line = e / units_together;  // of all columns of all terms
        const int of = first_unit + e % units_together;
        right[n] = 0;
        if (e < all_rights && of < width && k + line / columns < depth)
          right[n] = T(x[P].packed[(std::ptrdiff_t(k) * columns + line) * width + of]);
      }
    };
    fetch(0);
    for (int k = 0; k < depth; k += terms, now = 1 - now) {
      TENON_UNROLL for (int n = 0; n < lefts; ++n) {
        const auto [across, along] = place_in_tile<rows_together, terms, true>(n * threads + thread.index);
        thread.shared.left[now * left_size + along * left_stride + across] = left[n];
      }
      TENON_UNROLL for (int n = 0; n < rights; ++n) {
        const int e = n * threads + thread.index, line = e / units_together;
        const int place = (line / columns * units_together + e % units_together) * columns + line % columns;
        if (e < all_rights) thread.shared.right[now * right_size + place] = right[n];
      }
      thread.synchronise();  // a tile is overwritten only after all threads have passed the next barrier
      if (k + terms < depth) fetch(k + terms);
      TENON_UNROLL for (int d = 0; d < terms; ++d) {
        T a[thread_rows], b[columns];
        TENON_UNROLL for (int i = 0; i < thread_rows; ++i) {
          a[i] = thread.shared.left[now * left_size + d * left_stride + row + i];
        }
        TENON_UNROLL for (int c = 0; c < columns; ++c) {
          b[c] = thread.shared.right[now * right_size + (d * units_together + unit) * columns + c];
        }
        each_number<columns>([&](auto c) {
          constexpr int of = Stage::stage.products[P].sums[c];
          TENON_UNROLL for (int i = 0; i < thread_rows; ++i) sum[i][of] += a[i] * b[c];
        });
      }
    }
  }
};
template <class Stage, class T, class W>
void run_stage_in_tiles(int steps, int rows, const stage_rows<T, W>* x, const T* packed,
                        const operand<const T>* loads, const operand<T>* stores) {
  launch_stage<stage_tile<Stage, T, W>, Stage>(steps, rows, x, packed, loads, stores);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
