// sum_in_blocks: a sum over indices in double, whose result stays on the device: of one number, or of the two of positions_sum. The order of
// the sum depends only on the number of indices.
#pragma once

#include "tenon/backend/cuda/reduce.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/scratch.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// A sum as an array of doubles.
inline constexpr int most_numbers_in_sum = 2;
TENON_HOST_DEVICE inline void add_to(double* numbers, double x) { numbers[0] += x; }
TENON_HOST_DEVICE inline void add_to(double* numbers, const positions_sum& x) {
  numbers[0] += x.sum;
  numbers[1] += x.count;
}
TENON_HOST_DEVICE inline void read_from(const double* numbers, double& sum) { sum = numbers[0]; }
TENON_HOST_DEVICE inline void read_from(const double* numbers, positions_sum& sum) {
  sum = {numbers[0], numbers[1]};
}

inline constexpr int loads_at_once = 4;  // of a thread: they do not wait for each other
// The number of blocks for a sum: one as long as a second kernel would take longer, and at most as many as one block can then add up.
TENON_HOST_DEVICE constexpr int blocks_of_sum(std::ptrdiff_t count) {
  constexpr std::ptrdiff_t of_block = row_block * loads_at_once, alone = 4 * of_block, most = of_block;
  if (count <= alone) return 1;
  return count <= most * of_block ? blocks_for(count, int(of_block)) : int(most);
}

// The sum of f(k) over the indices of a block; each thread takes every (blocks * threads)-th index. One block calls finish(sum); several
// blocks write partial sums.
template <class F, class Sum, class Finish>
struct block_sum {
  static constexpr int threads = row_block, numbers = int(sizeof(Sum) / sizeof(double));
  static_assert(numbers <= most_numbers_in_sum);
  template <template <class, int> class Array>
  struct shared_memory {
    Array<double, numbers * partials_of(row_block)> partials;
  };

  std::ptrdiff_t count;
  int blocks;
  F f;
  Finish finish;
  Sum* partials;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    double sums[loads_at_once][numbers]{};
    const std::ptrdiff_t stride = std::ptrdiff_t(blocks) * threads;
    std::ptrdiff_t k = std::ptrdiff_t(thread.block.x) * threads + thread.index;
    for (; k + (loads_at_once - 1) * stride < count; k += loads_at_once * stride) {
      TENON_UNROLL for (int i = 0; i < loads_at_once; ++i) add_to(sums[i], f(k + i * stride));
    }
    TENON_UNROLL for (int i = 0; i < loads_at_once - 1; ++i) {
      if (k + i * stride < count) add_to(sums[i], f(k + i * stride));
    }
    TENON_UNROLL for (int i = 1; i < loads_at_once; ++i) {
      TENON_UNROLL for (int n = 0; n < numbers; ++n) sums[0][n] += sums[i][n];
    }
    reduce_row<row_block, numbers>(thread, thread.shared.partials, sums[0], add{});
    if (thread.index > 0) return;
    Sum sum;
    read_from(sums[0], sum);
    if (blocks == 1) finish(sum);
    else partials[thread.block.x] = sum;
  }

 private:
  struct add {
    TENON_KERNEL double operator()(int, double a, double b) const { return a + b; }
  };
};
template <class Sum>
struct partial_sum {
  const Sum* partials;
  TENON_HOST_DEVICE Sum operator()(std::ptrdiff_t block) const { return partials[block]; }
};

// One thread calls finish(the sum of f(index)). f returns a double or a positions_sum.
template <class F, class Finish>
void sum_in_blocks(std::ptrdiff_t count, F f, Finish finish, const char* kernel_name = __builtin_FUNCTION()) {
  using sum = decltype(f(std::ptrdiff_t()));
  const int blocks = blocks_of_sum(count);
  if (blocks == 1) return launch(block_sum<F, sum, Finish>{count, 1, f, finish, nullptr}, {1}, kernel_name);
  const thrust_detail::scratch_numbers<sum> partials(blocks);
  launch(block_sum<F, sum, Finish>{count, blocks, f, finish, partials.data()}, {blocks}, kernel_name);
  launch(block_sum<partial_sum<sum>, sum, Finish>{blocks, 1, {partials.data()}, finish, nullptr}, {1},
         kernel_name);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
