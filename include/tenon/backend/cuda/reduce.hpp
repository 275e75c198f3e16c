// Sums and maxima over the threads of a row: within a warp by exchanges, across the warps of a block through shared memory. The order
// is the same in every run.
#pragma once

#include "tenon/backend/cuda/launch.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// How many threads work on a row of `width` numbers: a warp, or a block of 256, or one of 1,024 so that enough loads are in flight.
inline constexpr int row_block = 256, long_row_block = 1024;
constexpr int threads_of_row(int width) {
  return width <= 8 * warp_size ? warp_size : width <= 16 * row_block ? row_block : long_row_block;
}
// The threads of a block if `lanes` threads work on a row.
TENON_HOST_DEVICE constexpr int block_of_rows(int lanes) { return lanes > row_block ? lanes : row_block; }
// The row of a thread, and the thread's number within the row.
TENON_HOST_DEVICE constexpr std::ptrdiff_t row_of_thread(std::ptrdiff_t block, int index, int lanes) {
  return block * (block_of_rows(lanes) / lanes) + index / lanes;
}
TENON_HOST_DEVICE constexpr int lane_of_thread(int index, int lanes) { return index % lanes; }
TENON_HOST_DEVICE constexpr int blocks_for_rows(std::ptrdiff_t rows, int lanes) {
  return blocks_for(rows, block_of_rows(lanes) / lanes);
}
// How many partial results the warps of a row exchange.
constexpr int partials_of(int lanes) { return lanes > warp_size ? lanes / warp_size : 1; }

// Combines values[n] over all threads of the row; each thread gets the result. combine(n, a, b) for value n must not depend on the order
// of its two operands. All threads of the block must call this.
template <int Lanes, int Count, class T, class Thread, class Array, class Combine>
TENON_KERNEL inline void reduce_row(Thread& thread, Array& partials, T* values, Combine combine) {
  TENON_UNROLL for (int n = 0; n < Count; ++n) {
    TENON_UNROLL for (int bits = warp_size / 2; bits > 0; bits /= 2) {
      values[n] = combine(n, values[n], thread.from_lane(values[n], bits));
    }
  }
  if constexpr (Lanes > warp_size) {
    constexpr int warps = Lanes / warp_size;
    static_assert(Lanes == block_of_rows(Lanes));
    if (thread.index % warp_size == 0) {
      TENON_UNROLL for (int n = 0; n < Count; ++n) partials[n * warps + thread.index / warp_size] = values[n];
    }
    thread.synchronise();
    TENON_UNROLL for (int n = 0; n < Count; ++n) {
      values[n] = partials[n * warps];
      TENON_UNROLL for (int w = 1; w < warps; ++w) {
        values[n] = combine(n, values[n], T(partials[n * warps + w]));
      }
    }
    thread.synchronise();
  }
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
