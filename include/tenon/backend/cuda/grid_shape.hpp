// The index arithmetic of a loop whose blocks share the units of a layer: plain functions, which tests call on a CPU.
#pragma once

#include "tenon/backend/cuda/tile.hpp"
#include "tenon/program/kernel_body.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// The weights that a thread keeps in registers out of the 255 that each of 256 threads has: 128 floats, or half as many doubles.
inline constexpr int threads_of_grid_loop = 256, bytes_kept_in_grid = 128 * 4;
// The floats that a block keeps.
inline constexpr long weights_in_block = long(threads_of_grid_loop) * bytes_kept_in_grid / 4;

// A card was faster in this way than with a launch for each step between these sizes: from 256 units of a GRU to 1,024 of an LSTM with up to
// 32 rows, and at 256 units, which 8 blocks share, with up to 128.
inline constexpr long least_weights_of_grid = 3 * 256 * 256;
constexpr int blocks_of_grid(int rows) { return rows <= 32 ? enough_blocks : rows <= 128 ? 8 : 0; }

// A block computes some units, a power of two. A warp has up to eight lanes with units of their own. Lanes and warps with the same units are
// slices: they share the terms of their sums, four neighbouring terms at a time.
struct grid_shape {
  int units = 8;

  constexpr int lanes() const { return units < 8 ? units : 8; }
  constexpr int unit_warps() const { return units / lanes(); }
  constexpr int slice_lanes() const { return 32 / lanes(); }
  constexpr int slice_warps() const { return threads_of_grid_loop / 32 / unit_warps(); }
  constexpr int slices() const { return slice_warps() * slice_lanes(); }
  // How many times a slice has four terms of a sum.
  constexpr int fours(int depth) const { return tiles_for(depth, 4 * slices()); }
};

// As many units as the registers of a block have room for.
template <class Loop>
constexpr int units_of_grid_block(const Loop& loop, int scalar_bytes) {
  const ir::loop_limits limits{.weights_of_block = weights_in_block * 4 / scalar_bytes};
  const int most = limits.units_of_block(loop);
  return most < 64 ? most : 64;
}
// The rows of a pass, if there are enough: a power of two, so that a thread has at most 32 sums, and the states of 8 rows of 1,024 numbers
// are in shared memory beside the sums.
constexpr int rows_of_pass(int sums, long states, int scalar_bytes) {
  int rows = 8;
  while (rows > 1 && (rows * sums > 32 || rows * states * scalar_bytes > 32 * 1024)) rows /= 2;
  return rows;
}

// Of each state: its first column, the store that writes it, whether products read it, and if so its place in shared memory.
struct grid_state {
  int column = 0, store = 0, place = 0;
  bool is_read = false;
};
template <int Count>
struct grid_states {
  grid_state of[Count];
  int row = 0;  // the numbers of a row in shared memory
};
template <class Loop>
constexpr auto states_of_grid_loop() {
  constexpr int width = Loop::body.width;
  grid_states<Loop::loop.states.size> all{};
  int column = 0;
  for (grid_state& state : all.of) {
    state = {column, Loop::loop.stores.find(column), all.row, false};
    column += width;
    for (int first : Loop::loop.products) state.is_read |= state.column <= first && first < column;
    if (state.is_read) all.row += (width + 3) / 4 * 4;
  }
  return all;
}

// A pass over some rows in a step of a loop.
struct loop_place {
  int step, pass;
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
