// blocks: how many steps of a loop, or windows, go through all phases at a time.
#pragma once

#include "tenon/meta/namespaces.hpp"
#include "tenon/program/windows.hpp"

namespace tenon::inline v0_1::engine::detail {

inline constexpr int rows_in_block = 256;    // of a scan, at a time: see steps_in_block
inline constexpr int block_elements = 8192;  // of the widest map, in a block of steps

// The steps in each of `blocks` blocks of equal length.
constexpr int steps_of_equal_blocks(long steps, long blocks) {
  return static_cast<int>(blocks > 1 ? (steps + blocks - 1) / blocks : steps);
}

// As many steps of a scan as have enough rows for products at full speed, and few enough to stay in the cache.
constexpr int steps_in_block(long steps, int batch) {
  return steps_of_equal_blocks(steps, steps * batch / rows_in_block);
}

// The numbers of one step that a phase of a loop leaves for another.
template <class Buffers>
constexpr long numbers_of_step(const Buffers& buffers, int batch) {
  long numbers = 0;
  for (const auto& b : buffers) numbers += b.all_rows ? long(b.width) * batch : 0;
  return numbers;
}
// The steps that a backend runs at a time: as many as have `taken` numbers, at least `block`. `numbers`: of one step.
constexpr int steps_taken(long taken, long numbers, long steps, int block) {
  if (taken == 0) return block;
  const long fitting = numbers > 0 ? taken / numbers : steps;
  return fitting <= block ? block : steps_of_equal_blocks(steps, (steps + fitting - 1) / fitting);
}

template <class Buffers>
constexpr int steps_at_once(long taken, const Buffers& buffers, long steps, int batch) {
  return steps_taken(taken, numbers_of_step(buffers, batch), steps, steps_in_block(steps, batch));
}

// How many windows have enough rows for a product at full speed; for a grid, whole lines. `width`: of the map that
// reads the windows.
constexpr int windows_in_block(const extents& grid, int batch, int width) {
  const int line = grid.height > 0 ? grid.width : 1;
  const long rows = long(batch) * line, fitting = block_elements / (width * rows),
             enough = rows_in_block / rows;
  const long lines = fitting > enough ? fitting : enough;
  return static_cast<int>(lines > 1 ? lines : 1) * line;
}

}  // namespace tenon::inline v0_1::engine::detail
