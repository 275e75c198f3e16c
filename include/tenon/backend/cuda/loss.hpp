// Losses: cross-entropy of logits [rows, C], with a warp for each row, or a block if there are many classes; and means of one number at
// each position. Sums are computed in blocks. See reference/cross_entropy.hpp for the formula.
#pragma once

#include "tenon/backend/cuda/reduce.hpp"
#include "tenon/backend/cuda/sums.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/thrust/loss.hpp"
#include "tenon/backend/thrust/scratch.hpp"

#include <cmath>
#include <limits>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace cuda_detail {

template <class T, int Lanes>
struct cross_entropy_rows {
  static constexpr int threads = block_of_rows(Lanes);
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, partials_of(Lanes)> largest;
    Array<double, partials_of(Lanes)> totals;
  };

  std::ptrdiff_t rows;
  int classes;
  const T* logits;
  std::ptrdiff_t logits_row;
  const int* targets;
  double scale_of_all;
  const positions_sum* own;
  T* gradient;
  double* losses;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    using std::exp;
    using std::log;
    const std::ptrdiff_t row = row_of_thread(thread.block.x, thread.index, Lanes);
    const int lane = lane_of_thread(thread.index, Lanes);
    const int target = row < rows ? targets[row] : -1;
    const int mine = target < 0 ? 0 : classes;  // a row without a target has a loss of zero
    const T* const x = logits + (row < rows ? row : 0) * logits_row;
    T largest = -std::numeric_limits<T>::infinity();
    for (int c = lane; c < mine; c += Lanes) largest = x[c] > largest ? x[c] : largest;
    reduce_row<Lanes, 1>(thread, thread.shared.largest, &largest, larger{});
    double total = 0;
    for (int c = lane; c < mine; c += Lanes) total += static_cast<double>(exp(x[c] - largest));
    reduce_row<Lanes, 1>(thread, thread.shared.totals, &total, sum{});
    if (row >= rows) return;
    const T scale = static_cast<T>(thrust_detail::share_of_target(scale_of_all, *own));
    T* const g = gradient + row * classes;
    const T share = target < 0 ? T(0) : static_cast<T>(static_cast<double>(scale) / total);
    for (int c = lane; c < classes; c += Lanes) g[c] = target < 0 ? T(0) : share * exp(x[c] - largest);
    if (target >= 0 && lane == target % Lanes)  // in double: near 1 - 1 no digit is lost
      g[target] = static_cast<T>(static_cast<double>(scale) *
                                 (static_cast<double>(exp(x[target] - largest)) / total - 1));
    if (lane == 0)
      losses[row] =
          target < 0 ? 0 : log(total) + (static_cast<double>(largest) - static_cast<double>(x[target]));
  }

 private:
  struct larger {
    TENON_KERNEL T operator()(int, T a, T b) const { return a < b ? b : a; }
  };
  struct sum {
    TENON_KERNEL double operator()(int, double a, double b) const { return a + b; }
  };
};

struct number_of_row {
  const double* losses;
  TENON_HOST_DEVICE double operator()(std::ptrdiff_t r) const { return losses[r]; }
};

}  // namespace cuda_detail

template <int C, class T>
void mean_cross_entropy(cuda, int rows, const T* logits, std::ptrdiff_t stride, const int* targets,
                        double scale, T* gradient, const loss_numbers<T>& to) {
  constexpr int lanes = cuda_detail::threads_of_row(C);
  const thrust_detail::scratch_numbers<double> losses(rows);
  if (to.count == loss_count::own)
    cuda_detail::sum_in_blocks(rows, thrust_detail::is_token{targets}, thrust_detail::keep_count{to.own});
  cuda_detail::launch(cuda_detail::cross_entropy_rows<T, lanes>{rows, C, logits, stride, targets, scale,
                                                                to.own, gradient, losses.data()},
                      {cuda_detail::blocks_for_rows(rows, lanes)});
  cuda_detail::sum_in_blocks(rows, cuda_detail::number_of_row{losses.data()},
                             thrust_detail::finish_cross_entropy<T>{scale, to});
}

template <class T>
void mean_positions(cuda, int steps, int rows, const int* lengths, const operand<const T>& values,
                    const operand<const T>& counts, double scale, const loss_numbers<T>& to) {
  cuda_detail::sum_in_blocks(std::ptrdiff_t(steps) * rows,
                             thrust_detail::number_at_position<T>{rows, steps, lengths, values, counts},
                             thrust_detail::finish_positions<T>{scale, to});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
