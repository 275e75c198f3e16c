// All steps of a recurrent layer in one kernel whose blocks share the units, where one block cannot hold the weights. There is no barrier over
// the blocks: before the loop the memory of each state is filled with `unpublished`, and a block looks at the numbers that it needs until
// all are published. Where the units need few blocks, there are several such groups of blocks, each with rows of its own.
#pragma once

#include "tenon/backend/cuda/grid_loop_block.hpp"
#include "tenon/backend/cuda/loop_kernel.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// Number `column` of row `row` at step `step` is unpublished.
template <class T>
struct unpublish {
  operand<T> state;
  int rows, width;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [rest, column] = thrust_detail::row_of(index, width);
    const auto [step, row] = thrust_detail::step_of(rest, rows);
    state.data[step * state.step + row * state.row + column] = unpublished<T>;
  }
};

// Runs each step as a launch of its own, on a device that cannot run all blocks at the same time.
template <class Kernel>
void run_steps_of_grid_loop(const Kernel& whole, grid blocks) {
  Kernel one = whole;
  for (int n = 0; n < whole.steps.count; ++n) {
    const int t = step_in_memory(whole.steps, n);
    one.steps = {whole.steps.first + t, 1, false};
    for (int l = 0; l < Kernel::load_count; ++l)
      one.loads[l].data = whole.loads[l].data + t * whole.loads[l].step;
    for (int s = 0; s < Kernel::store_count; ++s)
      one.stores[s].data = whole.stores[s].data + t * whole.stores[s].step;
    launch(one, blocks, "stage_loop");
    for (int s = 0; s < Kernel::states; ++s) {
      const auto& written = one.stores[Kernel::traits.of[s].store];
      one.begin[s] = {written.data, written.row, written.step};
    }
  }
}
template <int Units, int Rows, class Loop, class T, class W>
void run_grid_loop_in(const loop_steps& steps, int rows, const int* lengths, const operand<const T>* states,
                      const W* const* weights, const T* vectors, const operand<const T>* loads,
                      const operand<T>* stores) {
  using kernel = grid_loop_block<Loop, T, W, Units, Rows>;
  kernel one = loop_kernel<kernel>(steps, rows, lengths, states, weights, vectors, loads, stores);
  for (int s = 0; s < kernel::states; ++s) {
    const operand<T>& written = stores[kernel::traits.of[s].store];
    one.in_fours[s] = can_read<4>(states[s].data, states[s].row) && can_read<4>(written.data, written.row) &&
                      written.step % 4 == 0;
  }
  const int unit_blocks = blocks_for(kernel::width, Units), passes = one.passes();
  const int most_groups = blocks_at_once<kernel>() / unit_blocks;
  one.groups = most_groups > 0 && most_groups < passes ? most_groups : passes;
  const grid blocks{unit_blocks, one.groups};
  if (most_groups == 0) return run_steps_of_grid_loop(one, blocks);
  each_number<kernel::states>([&](auto s) {
    constexpr grid_state state = kernel::traits.of[s];
    if constexpr (state.is_read)
      thrust_detail::for_each_index(std::ptrdiff_t(steps.count) * rows * kernel::width,
                                    unpublish<T>{stores[state.store], rows, kernel::width}, "stage_loop");
  });
  launch_together(one, blocks, "stage_loop");
}

// A group has as many blocks as the units need, and a pass as many rows as a group has, but at most `Rows`.
template <int Rows, class Loop, class T, class W>
void run_grid_passes(const loop_steps& steps, int rows, const int* lengths, const operand<const T>* states,
                     const W* const* weights, const T* vectors, const operand<const T>* loads,
                     const operand<T>* stores) {
  constexpr int units = units_of_grid_block(Loop::loop, sizeof(T));
  constexpr int unit_blocks = blocks_for(Loop::body.width, units);
  if constexpr (Rows > 1)
    if (rows * unit_blocks <= Rows / 2 * enough_blocks)
      return run_grid_passes<Rows / 2, Loop>(steps, rows, lengths, states, weights, vectors, loads, stores);
  run_grid_loop_in<units, Rows, Loop>(steps, rows, lengths, states, weights, vectors, loads, stores);
}

template <class Loop, class T, class W>
void run_grid_loop(const loop_steps& steps, int rows, const int* lengths, const operand<const T>* states,
                   const W* const* weights, const T* vectors, const operand<const T>* loads,
                   const operand<T>* stores) {
  constexpr int most_rows = rows_of_pass(Loop::stage.sums, states_of_grid_loop<Loop>().row, sizeof(T));
  run_grid_passes<most_rows, Loop>(steps, rows, lengths, states, weights, vectors, loads, stores);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
