// Kernels along an axis of steps: several threads share each column, each with every n-th step, where one thread for each column would
// leave most of a GPU idle or take long. See reference/axis.hpp for the formulas. Each sum has one fixed order: equal runs give equal bits.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/axis.hpp"

#include <cmath>
#include <limits>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace cuda_detail {

// A block of 256 threads works on columns that are side by side in memory: as many as fill a sector (8), or a line (32).
inline constexpr int column_block = 256, few_columns = 8, many_columns = 32;
template <int Columns>
struct column_threads {
  static_assert(warp_size % Columns == 0);
  static constexpr int threads = column_block, warps = threads / warp_size;
  static constexpr int slices = threads / Columns;  // of the steps of a column
  TENON_HOST_DEVICE static constexpr int column(int thread) { return thread % Columns; }
  TENON_HOST_DEVICE static constexpr int slice(int thread) { return thread / Columns; }
};
// Are there enough columns for a large card if each block takes a line of them?
constexpr bool has_many_columns(std::ptrdiff_t columns) { return columns >= 256 * many_columns; }
// Is one thread for each column enough? Yes with few steps, or with more columns than a card has threads.
constexpr bool walks_columns(int steps, std::ptrdiff_t columns) { return steps <= 8 || columns >= 1 << 18; }

// Combines value over all threads of a column; each gets the result. combine(a, b) must not depend on the order of its two operands. All
// threads of the block must call this.
template <int Columns, class T, class Thread, class Array, class Combine>
TENON_KERNEL inline T reduce_column(Thread& thread, Array& partials, T value, Combine combine) {
  TENON_UNROLL for (int bits = Columns; bits < warp_size; bits *= 2) {
    value = combine(value, thread.from_lane(value, bits));
  }
  constexpr int warps = column_threads<Columns>::warps;
  const int warp = thread.index / warp_size, lane = thread.index % warp_size, column = lane % Columns;
  if (lane < Columns) partials[warp * Columns + column] = value;
  thread.synchronise();
  value = partials[column];
  TENON_UNROLL for (int w = 1; w < warps; ++w) value = combine(value, T(partials[w * Columns + column]));
  thread.synchronise();
  return value;
}
struct add_terms {
  template <class T>
  TENON_KERNEL T operator()(T a, T b) const {
    return a + b;
  }
};
struct larger_term {  // a NaN stays a NaN
  template <class T>
  TENON_KERNEL T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};

// A thread keeps up to `kept` of its steps of a column in registers: 256 or 128 steps of the column; the others are read again.
template <class T, int Columns>
struct softmax_of_columns {
  static constexpr int threads = column_block, slices = column_threads<Columns>::slices;
  static constexpr int kept = Columns == few_columns ? 8 : 16;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, column_threads<Columns>::warps * Columns> partials;
  };

  int steps, width;  // numbers of a row at each step
  std::ptrdiff_t columns;
  const int* lengths;
  const T* scores;
  T* weights;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    using std::exp;
    const std::ptrdiff_t c =
        std::ptrdiff_t(thread.block.x) * Columns + column_threads<Columns>::column(thread.index);
    const int first = column_threads<Columns>::slice(thread.index), rest = first + kept * slices;
    const bool is_there = c < columns;
    const int all = is_there ? steps : 0,
              end = is_there ? thrust_detail::end_of(lengths, c / width, steps) : 0;
    const T* const from = scores + c;
    T* const to = weights + c;
    constexpr T masked = std::numeric_limits<T>::lowest();
    T mine[kept], highest = masked, total = 0;
    TENON_UNROLL for (int k = 0; k < kept; ++k) {
      const int t = first + k * slices;
      mine[k] = masked;
      if (t < end) mine[k] = from[t * columns];
    }
    TENON_UNROLL for (int k = 0; k < kept; ++k) highest = mine[k] > highest ? mine[k] : highest;
    for (int t = rest; t < end; t += slices)
      highest = from[t * columns] > highest ? from[t * columns] : highest;
    highest = reduce_column<Columns>(thread, thread.shared.partials, highest, larger_term{});
    TENON_UNROLL for (int k = 0; k < kept; ++k) {
      mine[k] = first + k * slices < end ? exp(mine[k] - highest) : T(0);
      total += mine[k];
    }
    for (int t = rest; t < end; t += slices) total += exp(from[t * columns] - highest);
    total = reduce_column<Columns>(thread, thread.shared.partials, total, add_terms{});
    const bool has_weights = highest > masked;
    const auto weight = [&](T part) { return has_weights ? part / total : part * T(0); };
    TENON_UNROLL for (int k = 0; k < kept; ++k) {
      const int t = first + k * slices;
      if (t < all) to[t * columns] = t < end ? weight(mine[k]) : T(0);
    }
    for (int t = rest; t < all; t += slices)
      to[t * columns] = t < end ? weight(exp(from[t * columns] - highest)) : T(0);
  }
};

// The sum over the steps of a column, weighted by `weights` unless they are null, or the largest of the steps before the row's end.
template <class T, int Columns, bool Largest>
struct fold_columns {
  static constexpr int threads = column_block, slices = column_threads<Columns>::slices;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, column_threads<Columns>::warps * Columns> partials;
  };

  int steps, rows, width;
  const int* lengths;
  const T* weights;  // [step][row]
  operand<const T> in;
  T* out;
  std::ptrdiff_t out_row;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t c =
        std::ptrdiff_t(thread.block.x) * Columns + column_threads<Columns>::column(thread.index);
    const auto [r, n] = thrust_detail::row_of(c, width);
    const int first = column_threads<Columns>::slice(thread.index);
    const bool is_there = r < rows;
    const int end = is_there ? thrust_detail::end_of(lengths, r, steps) : 0;
    const T* const from = in.data + r * in.row + n;
    T value = Largest ? -std::numeric_limits<T>::infinity() : T(0);
    if constexpr (Largest) {
      for (int t = first; t < end; t += slices) value = larger_term{}(value, from[t * in.step]);
      value = reduce_column<Columns>(thread, thread.shared.partials, value, larger_term{});
    } else {
      if (weights == nullptr)
        for (int t = first; t < end; t += slices) value += from[t * in.step];
      else
        for (int t = first; t < end; t += slices)
          value += weights[std::ptrdiff_t(t) * rows + r] * from[t * in.step];
      value = reduce_column<Columns>(thread, thread.shared.partials, value, add_terms{});
    }
    if (first == 0 && is_there) out[r * out_row + n] = Largest && end == 0 ? T(0) : value;
  }
};
template <bool Largest, class T>
void fold_steps(const fold_columns<T, many_columns, Largest>& fold,
                const char* kernel_name = __builtin_FUNCTION()) {
  const std::ptrdiff_t columns = std::ptrdiff_t(fold.rows) * fold.width;
  if (has_many_columns(columns)) return launch(fold, {blocks_for(columns, many_columns)}, kernel_name);
  launch(fold_columns<T, few_columns, Largest>{fold.steps, fold.rows, fold.width, fold.lengths, fold.weights,
                                               fold.in, fold.out, fold.out_row},
         {blocks_for(columns, few_columns)}, kernel_name);
}

}  // namespace cuda_detail

template <int N, class T>
void axis_softmax(cuda, int steps, int rows, const int* lengths, const T* scores, T* weights) {
  using namespace cuda_detail;
  const std::ptrdiff_t columns = std::ptrdiff_t(rows) * N;
  if (walks_columns(steps, columns))
    return axis_softmax<N>(thrust_device{}, steps, rows, lengths, scores, weights);
  if (has_many_columns(columns))
    launch(softmax_of_columns<T, many_columns>{steps, N, columns, lengths, scores, weights},
           {blocks_for(columns, many_columns)});
  else
    launch(softmax_of_columns<T, few_columns>{steps, N, columns, lengths, scores, weights},
           {blocks_for(columns, few_columns)});
}
template <int D, class T>
void weighted_sum(cuda, int steps, int rows, const T* weights, const operand<const T>& values, T* out,
                  std::ptrdiff_t out_stride) {
  if (cuda_detail::walks_columns(steps, std::ptrdiff_t(rows) * D))
    return weighted_sum<D>(thrust_device{}, steps, rows, weights, values, out, out_stride);
  cuda_detail::fold_steps<false, T>({steps, rows, D, nullptr, weights, values, out, out_stride});
}
template <int N, class T>
void axis_sum(cuda, int steps, int rows, const T* in, std::ptrdiff_t in_row, std::ptrdiff_t in_step, T* out,
              std::ptrdiff_t out_row) {
  if (cuda_detail::walks_columns(steps, std::ptrdiff_t(rows) * N))
    return axis_sum<N>(thrust_device{}, steps, rows, in, in_row, in_step, out, out_row);
  cuda_detail::fold_steps<false, T>({steps, rows, N, nullptr, nullptr, {in, in_row, in_step}, out, out_row});
}
template <int N, class T>
void axis_max(cuda, int steps, int rows, const int* lengths, const operand<const T>& in, T* out,
              std::ptrdiff_t out_stride) {
  if (cuda_detail::walks_columns(steps, std::ptrdiff_t(rows) * N))
    return axis_max<N>(thrust_device{}, steps, rows, lengths, in, out, out_stride);
  cuda_detail::fold_steps<true, T>({steps, rows, N, lengths, nullptr, in, out, out_stride});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
