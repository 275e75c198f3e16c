// Kernels along an axis of steps, up to each row's length: softmax of scores [steps, rows, N], the weighted sum of values
// [steps, rows, D], the maximum, and shifted and flipped steps. A row of length 0 gives zeros. No lengths: no row ends early.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/reference/tag.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace tenon::inline v0_1::backend {

namespace detail {
constexpr int end_of(const int* lengths, int row, int steps) {
  return lengths != nullptr && lengths[row] < steps ? lengths[row] : steps;
}
}  // namespace detail

// weights[t, r, n] = exp(scores[t, r, n] - m_r) / sum_{t < lengths[r]} exp(...), 0 from lengths[r] on. T's least number is the score of
// a masked step: its weight is 0, also where all steps are masked.
template <int N, class T>
void axis_softmax(reference, int steps, int rows, const int* lengths, const T* scores, T* weights) {
  using std::exp;
  const std::ptrdiff_t columns = std::ptrdiff_t(rows) * N;
  for (std::ptrdiff_t c = 0; c < columns; ++c) {
    const int end = detail::end_of(lengths, static_cast<int>(c / N), steps);
    constexpr T masked = std::numeric_limits<T>::lowest();
    T highest = masked, total = 0;
    for (int t = 0; t < end; ++t)
      highest = scores[t * columns + c] > highest ? scores[t * columns + c] : highest;
    for (int t = 0; t < end; ++t) total += weights[t * columns + c] = exp(scores[t * columns + c] - highest);
    for (int t = 0; t < end; ++t) {
      if (highest > masked) weights[t * columns + c] /= total;
      else weights[t * columns + c] *= T(0);  // a NaN stays one
    }
    for (int t = end; t < steps; ++t) weights[t * columns + c] = T(0);
  }
}
// out[r, :] = sum_t weights[t, r] values[t, r, :]
template <int D, class T>
void weighted_sum(reference, int steps, int rows, const T* weights, const operand<const T>& values, T* out,
                  std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < D; ++j) {
      T sum = 0;
      for (int t = 0; t < steps; ++t)
        sum += weights[t * rows + r] * values.data[t * values.step + r * values.row + j];
      out[r * out_stride + j] = sum;
    }
}
// out[r, n] = max_{t < lengths[r]} in[t, r, n]
template <int N, class T>
void axis_max(reference, int steps, int rows, const int* lengths, const operand<const T>& in, T* out,
              std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r)
    for (int n = 0; n < N; ++n) {
      const int end = detail::end_of(lengths, r, steps);
      T highest = end > 0 ? in.data[r * in.row + n] : T(0);
      for (int t = 1; t < end; ++t) {
        const T x = in.data[t * in.step + r * in.row + n];
        highest = x > highest ? x : highest;
      }
      out[r * out_stride + n] = highest;
    }
}

// out[t, r, :] = in[t - by, r, :] where t - by is a step of the row, else 0
template <int D, class T>
void shift(reference, int by, int steps, int rows, const int* lengths, const operand<const T>& in,
           const operand<T>& out) {
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < D; ++j) {
        const bool is_there = t - by >= 0 && t - by < detail::end_of(lengths, r, steps);
        out.data[t * out.step + r * out.row + j] =
            is_there ? in.data[(t - by) * in.step + r * in.row + j] : T(0);
      }
}
// out[t, r, :] = in[end - 1 - t, r, :] where end is the row's length; 0 from step end on
template <int D, class T>
void flip(reference, int steps, int rows, const int* lengths, const operand<const T>& in,
          const operand<T>& out) {
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < D; ++j) {
        const int from = detail::end_of(lengths, r, steps) - 1 - t;
        out.data[t * out.step + r * out.row + j] =
            from >= 0 ? in.data[from * in.step + r * in.row + j] : T(0);
      }
}

}  // namespace tenon::inline v0_1::backend
