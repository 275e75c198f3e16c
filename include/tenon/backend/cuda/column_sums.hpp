// The gradients of biases: one kernel sums the rows of several matrices, or two kernels if there are many rows. Each sum has one fixed
// order, which depends only on the sizes.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/scratch.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace cuda_detail {

inline constexpr int columns_of_sum = 32, slices_of_sum = 8;  // of a block: columns, and threads for each
inline constexpr int sums_together = 8;                       // of a kernel
// Into how many parts the rows are divided if the columns fill `blocks` blocks: enough to fill the card, each with enough rows, and few
// enough for a second kernel to add up quickly.
TENON_HOST_DEVICE constexpr int parts_of_sum(int rows, int blocks) {
  const int of_rows = blocks_for(rows, 16 * slices_of_sum), of_card = 1024 / blocks;
  const int parts = of_rows < of_card ? of_rows : of_card;
  return parts < 1 ? 1 : parts > 128 ? 128 : parts;
}

template <class T>
struct sum_rows {
  static constexpr int columns = columns_of_sum, slices = slices_of_sum, threads = columns * slices;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, threads> sums;
  };

  int rows, rows_of_part, count;
  column_sums<T> of[sums_together];
  int first_block[sums_together];
  T* partials;  // [part, column of all blocks], or null: there is one part, and the sums are added to the results

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    int mine = 0;
    while (mine + 1 < count && thread.block.x >= first_block[mine + 1]) ++mine;
    const column_sums<T>& sum_of = of[mine];
    const int in_block = thread.index % columns, slice = thread.index / columns;
    const int column = (thread.block.x - first_block[mine]) * columns + in_block;
    const int begin = thread.block.y * rows_of_part,
              end = begin + rows_of_part < rows ? begin + rows_of_part : rows;
    T sum = 0;
    if (column < sum_of.width)
      for (std::ptrdiff_t r = begin + slice; r < end; r += slices) sum += sum_of.g[r * sum_of.row + column];
    thread.shared.sums[thread.index] = sum;
    thread.synchronise();
    if (slice > 0 || column >= sum_of.width) return;
    for (int s = 1; s < slices; ++s) sum += thread.shared.sums[s * columns + in_block];
    if (partials != nullptr) {
      partials[std::ptrdiff_t(thread.block.y) * all_columns() + thread.block.x * columns + in_block] = sum;
      return;
    }
    sum_of.to[column] += sum;
    if (sum_of.also != nullptr) sum_of.also[column] += sum;
  }
  TENON_HOST_DEVICE int blocks() const {
    return first_block[count - 1] + blocks_for(of[count - 1].width, columns);
  }
  TENON_HOST_DEVICE std::ptrdiff_t all_columns() const { return std::ptrdiff_t(blocks()) * columns; }
};

// For at most `sums_together` matrices.
template <class T>
void sum_rows_together(int rows, int count, const column_sums<T>* sums, const char* kernel_name) {
  sum_rows<T> all{rows, rows, count, {}, {}, nullptr};
  for (int n = 0, block = 0; n < count; ++n) {
    all.of[n] = sums[n];
    all.first_block[n] = block;
    block += blocks_for(sums[n].width, columns_of_sum);
  }
  const int parts = parts_of_sum(rows, all.blocks());
  if (parts == 1) return launch(all, {all.blocks()}, kernel_name);
  const std::ptrdiff_t columns = all.all_columns();
  const thrust_detail::scratch_numbers<T> partials(parts * columns);
  all.rows_of_part = blocks_for(rows, parts);
  all.partials = partials.data();
  launch(all, {all.blocks(), parts}, kernel_name);
  all.rows = all.rows_of_part = parts;
  all.partials = nullptr;  // an empty part has zeros
  for (int n = 0; n < count; ++n) {
    all.of[n].g = partials.data() + all.first_block[n] * columns_of_sum;
    all.of[n].row = columns;
  }
  launch(all, {all.blocks()}, kernel_name);
}

}  // namespace cuda_detail

// to[j] += sum_r g[r, j] for each matrix.
template <class T>
void gradient_sums(cuda, int rows, int count, const column_sums<T>* sums) {
  for (int n = 0; n < count && rows > 0; n += cuda_detail::sums_together)
    cuda_detail::sum_rows_together(
        rows, count - n < cuda_detail::sums_together ? count - n : cuda_detail::sums_together, sums + n,
        "gradient_sums");
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
