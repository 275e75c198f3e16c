// The index arithmetic of a loop whose steps run in one kernel, and which loops run so: plain functions, which tests call on a CPU.
#pragma once

#include "tenon/backend/cuda/grid_shape.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/cuda/tile.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/program/kernel_body.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace cuda_detail {

// The default limit of a block's shared memory, less the bytes that aligning its arrays takes.
inline constexpr int shared_bytes_of_block = 48 * 1024 - 2 * 16;
// The weights that a thread keeps in registers beside its sums, out of the 128 registers that each of 512 threads has: 64 floats, or half as
// many doubles. The other weights come from the first cache at every step.
inline constexpr int most_threads = 512, bytes_in_registers = 64 * 4;
// Up to this width neighbouring lanes share the terms of a sum, in narrow_loop.hpp: 64 units are faster so, and 128 are slower.
inline constexpr int most_narrow_units = 64;
// 256 KiB of floats, the weights of an LSTM of 128 units: half of them in registers, the others in the first cache.
inline constexpr long weights_of_block = 64 * 1024;
// The number of weights that all fit in registers. Then any number of blocks may run.
inline constexpr long weights_in_registers = long(most_threads) * bytes_in_registers / 4;
// The number of rows whose blocks run on the card at the same time, with four rows in each.
inline constexpr int rows_at_once = 4 * enough_blocks;
// Two copies of the states of four rows, in double, leave a third of the shared memory for the rest.
inline constexpr int states_of_row = 512;
// Numbers of a row in a loop of rows: in double, more than half of the shared memory.
inline constexpr int columns_of_row = 4096;
// 16 MiB of floats: the results of the products before the loop are still in the second cache when the loop reads them.
inline constexpr long numbers_before_loop = 4 * 1024 * 1024;

// A block runs all steps of `rows` rows. Each of `lanes` lanes computes one unit, or several in turns if there are more units; the threads of
// a lane, one in each slice, share the terms of its sums.
struct loop_shape {
  int lanes = 0, slices = 1, rows = 1, turns = 1;

  constexpr int threads() const { return lanes * slices; }
  // Numbers in shared memory: the states of all rows before and after a step, and the sums of all slices.
  constexpr long numbers(int sums, long states) const {
    return 2 * rows * states + long(slices) * sums * rows * lanes;
  }
};
// The shape for `width` units with `sums` sums each, and `states` states of a row. With few rows each row has its own block, which
// finishes a step soonest.
constexpr loop_shape shape_of_loop(int width, int sums, long states, int scalar_bytes, bool many_rows) {
  const int whole = (width + 31) / 32 * 32;
  loop_shape shape{.lanes = whole < most_threads ? whole : most_threads, .rows = many_rows ? 4 : 1};
  const auto fits = [&] { return shape.numbers(sums, states) * scalar_bytes <= shared_bytes_of_block; };
  shape.slices = most_threads / shape.lanes < 4 ? most_threads / shape.lanes : 4;
  while (shape.rows > 1 && !fits()) shape.rows /= 2;
  while (shape.slices > 1 && !fits()) --shape.slices;
  while (shape.lanes > 32 && !fits()) shape.lanes -= 32;
  shape.turns = (width + shape.lanes - 1) / shape.lanes;
  return shape;
}
// Does a block process several rows?
constexpr bool has_many_rows(int rows) { return rows > enough_blocks; }

// The terms of a slice, and for how many of them a thread keeps the weights if it keeps `taken` weights already.
constexpr int terms_of_slice(int depth, int slices) { return (depth + slices - 1) / slices; }
constexpr int terms_kept(int terms, int columns, int taken, int scalar_bytes) {
  const int room = (bytes_in_registers / scalar_bytes - taken) / columns;
  return room < terms ? room : terms;
}
// How many terms of a unit's sums load their weights together: a cache answers after some hundred cycles, for one load or for many.
constexpr int terms_together(int columns) { return columns > 16 ? 1 : columns > 4 ? 32 / columns : 8; }

// The place of state number `column` of row `row`, among the states that a step reads and those that it writes.
TENON_HOST_DEVICE constexpr int place_of_state(bool odd, int rows_together, int row, int states, int column) {
  return ((odd ? rows_together : 0) + row) * states + column;
}
// The n-th step that the loop runs, as an index from the first step in memory.
TENON_HOST_DEVICE constexpr int step_in_memory(const loop_steps& steps, int n) {
  return steps.backwards ? steps.count - 1 - n : n;
}
TENON_HOST_DEVICE constexpr bool has_ended(const int* lengths, std::ptrdiff_t row, int step) {
  return lengths != nullptr && step >= lengths[row];
}

}  // namespace cuda_detail

constexpr loop_limits limits_of_loops(cuda, int rows) {
  return {.weights = rows <= cuda_detail::rows_at_once ? cuda_detail::weights_of_block
                                                       : cuda_detail::weights_in_registers,
          .states = cuda_detail::states_of_row,
          .numbers = cuda_detail::numbers_before_loop,
          .columns = cuda_detail::columns_of_row,
          .blocks = cuda_detail::blocks_of_grid(rows),
          .weights_of_block = cuda_detail::weights_in_block,
          .least_shared = cuda_detail::least_weights_of_grid};
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
