// The index arithmetic of a loop whose steps are one kernel, and which loops are taken: plain functions, which a CPU's test calls.
// None of the limits has been measured on a card; each says what it follows from.
#pragma once

#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/cuda/tile.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/program/pattern.hpp"

namespace tenon::backend::inline TENON_DEVICE {

namespace cuda_detail {

// What a block's threads may share without asking for more, less what aligning two arrays takes.
inline constexpr int shared_bytes_of_block = 48 * 1024 - 2 * 16;
// A block reads all weights at every step. From the second cache a multiprocessor gets about 64 bytes a cycle: 256 KiB take it about as
// long as the launches of one step do, and these kernels would be on many multiprocessors.
inline constexpr long weights_in_caches = 64 * 1024;
// Floats that fit into shared memory beside the states of four rows: an LSTM's of 53 units. Any number of blocks may read them.
inline constexpr long weights_in_shared = 11 * 1024;
// Rows whose blocks are on the card together, four rows to each. With more rows the blocks of a step's own kernel, of 16 rows each, read
// the weights from the second cache less often, and a step takes longer than its launch.
inline constexpr int rows_at_once = 4 * enough_blocks;
// Two copies of them, of four rows, in double, leave a third of the shared memory to others.
inline constexpr int states_of_row = 512;
// 16 MiB of floats: what the products before the loop write is in the second cache when the loop reads it.
inline constexpr long numbers_before_loop = 4 * 1024 * 1024;

// A block runs all steps of `rows` times `groups` rows. So many lanes make the units of `rows` of them.
struct loop_shape {
  int lanes = 0, groups = 1, rows = 1;  // rows of a thread
  bool holds_weights = false;           // in shared memory

  constexpr int threads() const { return lanes * groups; }
  constexpr int rows_together() const { return rows * groups; }
};
// Bytes of the states of a row, and of all weights. With few rows each has a block of its own, whose step is over soonest; with many a
// thread has four, and a block as many as 128 threads have, or as leave room for the weights.
constexpr loop_shape shape_of_loop(int width, long row_bytes, long weight_bytes, bool many_rows) {
  const int whole = (width + 31) / 32 * 32;
  loop_shape shape{.lanes = whole < 256 ? whole : 256, .rows = many_rows ? 4 : 1};
  const auto fits = [&](int groups) {
    return weight_bytes + 2 * shape.rows * groups * row_bytes <= shared_bytes_of_block;
  };
  const int most = many_rows && shape.lanes < 128 ? 128 / shape.lanes : 1;
  for (int groups = most; groups > 0 && !shape.holds_weights; --groups)
    if (fits(groups)) shape.groups = groups, shape.holds_weights = true;
  if (!shape.holds_weights) {
    weight_bytes = 0;
    for (shape.groups = most; shape.groups > 1 && !fits(shape.groups);) --shape.groups;
  }
  return shape;
}
// Has a thread several rows? Where the weights come from a cache, fewer blocks are enough to take all that it gives.
constexpr bool has_many_rows(int rows, bool holds_weights) {
  return rows > (holds_weights ? enough_blocks : enough_blocks / 4);
}

// So many terms of a unit's sums ask for their weights together: a cache answers after some hundred cycles, whether one asks or many.
constexpr int terms_together(int columns) { return columns > 16 ? 1 : columns > 4 ? 32 / columns : 8; }

// The states of a block's rows, those that a step reads and those that it writes: number `column` of row `row`.
TENON_HOST_DEVICE constexpr int place_of_state(bool odd, int rows_together, int row, int states, int column) {
  return ((odd ? rows_together : 0) + row) * states + column;
}
// The step that is the loop's n-th, counted from the first in memory.
TENON_HOST_DEVICE constexpr int step_in_memory(const loop_steps& steps, int n) {
  return steps.backwards ? steps.count - 1 - n : n;
}
TENON_HOST_DEVICE constexpr bool has_ended(const int* lengths, std::ptrdiff_t row, int step) {
  return lengths != nullptr && step >= lengths[row];
}

}  // namespace cuda_detail

constexpr loop_limits limits_of_loops(cuda, int rows) {
  return {.weights = rows <= cuda_detail::rows_at_once ? cuda_detail::weights_in_caches
                                                       : cuda_detail::weights_in_shared,
          .states = cuda_detail::states_of_row,
          .numbers = cuda_detail::numbers_before_loop};
}

}  // namespace tenon::backend::inline TENON_DEVICE
