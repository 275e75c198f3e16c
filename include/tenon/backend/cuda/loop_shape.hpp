// The index arithmetic of a loop whose steps are one kernel, and which loops are taken: plain functions, which a CPU's test calls.
#pragma once

#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/cuda/tile.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/program/pattern.hpp"

namespace tenon::backend::inline TENON_DEVICE {

namespace cuda_detail {

// What a block's threads may share without asking for more, less what aligning arrays takes.
inline constexpr int shared_bytes_of_block = 48 * 1024 - 2 * 16;
// Weights that a thread keeps in its registers beside its sums, of 128 that 512 threads have each: of as many floats, or of half as many
// doubles. What is left comes from the first cache at every step.
inline constexpr int most_threads = 512, bytes_in_registers = 64 * 4;
// 256 KiB of floats, an LSTM's of 128 units: half of them in registers, and the others in the first cache.
inline constexpr long weights_of_block = 64 * 1024;
// Weights that are all in registers. Any number of blocks may have them.
inline constexpr long weights_in_registers = long(most_threads) * bytes_in_registers / 4;
// Rows whose blocks are on the card together, four rows to each.
inline constexpr int rows_at_once = 4 * enough_blocks;
// Two copies of them, of four rows, in double, leave a third of the shared memory to others.
inline constexpr int states_of_row = 512;
// Numbers of a row in a loop of rows: of doubles, half of the shared memory and more.
inline constexpr int columns_of_row = 4096;
// 16 MiB of floats: what the products before the loop write is in the second cache when the loop reads it.
inline constexpr long numbers_before_loop = 4 * 1024 * 1024;

// A block runs all steps of `rows` rows. So many lanes make a unit each, in turns where there are more units; the threads of a lane, one in
// each slice, share the terms of its sums.
struct loop_shape {
  int lanes = 0, slices = 1, rows = 1, turns = 1;

  constexpr int threads() const { return lanes * slices; }
  // What is shared: the states of all rows before and after a step, and the sums of all slices.
  constexpr long numbers(int sums, long states) const {
    return 2 * rows * states + long(slices) * sums * rows * lanes;
  }
};
// Of so many units, sums of a unit, and states of a row. With few rows each has a block of its own, whose step is over soonest.
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
// Has a block several rows?
constexpr bool has_many_rows(int rows) { return rows > enough_blocks; }

// Terms of a slice, and how many of them a thread keeps the weights of, if `taken` weights are kept already.
constexpr int terms_of_slice(int depth, int slices) { return (depth + slices - 1) / slices; }
constexpr int terms_kept(int terms, int columns, int taken, int scalar_bytes) {
  const int room = (bytes_in_registers / scalar_bytes - taken) / columns;
  return room < terms ? room : terms;
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
  return {.weights = rows <= cuda_detail::rows_at_once ? cuda_detail::weights_of_block
                                                       : cuda_detail::weights_in_registers,
          .states = cuda_detail::states_of_row,
          .numbers = cuda_detail::numbers_before_loop,
          .columns = cuda_detail::columns_of_row};
}

}  // namespace tenon::backend::inline TENON_DEVICE
