// Kernels along an axis of steps, on Thrust: see reference/axis.hpp for the formulas. One thread for each column of a row goes along its
// steps; if the result keeps all steps, there is one thread for each number.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <cmath>
#include <limits>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

template <int N, class T>
struct softmax_of_column {
  int steps;
  std::ptrdiff_t columns;
  const int* lengths;
  const T* scores;
  T* weights;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t c) const {
    using std::exp;
    const int end = end_of(lengths, c / N, steps);
    constexpr T masked = std::numeric_limits<T>::lowest();
    T highest = masked, total = 0;
    for (int t = 0; t < end; ++t)
      highest = scores[t * columns + c] > highest ? scores[t * columns + c] : highest;
    for (int t = 0; t < end; ++t) total += weights[t * columns + c] = exp(scores[t * columns + c] - highest);
    for (int t = 0; t < end; ++t) {
      if (highest > masked) weights[t * columns + c] /= total;
      else weights[t * columns + c] *= T(0);
    }
    for (int t = end; t < steps; ++t) weights[t * columns + c] = T(0);
  }
};
template <int D, class T>
struct weighted_sum_of_column {
  int steps, rows;
  const T* weights;
  operand<const T> values;
  T* out;
  std::ptrdiff_t out_row;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, j] = row_of(index, D);
    T sum = 0;
    for (int t = 0; t < steps; ++t)
      sum += weights[std::ptrdiff_t(t) * rows + r] * values.data[t * values.step + r * values.row + j];
    out[r * out_row + j] = sum;
  }
};
template <int N, class T>
struct sum_of_column {
  int steps;
  operand<const T> in;
  T* out;
  std::ptrdiff_t out_row;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, n] = row_of(index, N);
    T sum = 0;
    for (int t = 0; t < steps; ++t) sum += in.data[t * in.step + r * in.row + n];
    out[r * out_row + n] = sum;
  }
};
template <int N, class T>
struct largest_of_column {
  int steps;
  const int* lengths;
  operand<const T> in;
  T* out;
  std::ptrdiff_t out_row;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, n] = row_of(index, N);
    const int end = end_of(lengths, r, steps);
    T highest = end > 0 ? in.data[r * in.row + n] : T(0);
    for (int t = 1; t < end; ++t) {
      const T x = in.data[t * in.step + r * in.row + n];
      highest = x > highest ? x : highest;
    }
    out[r * out_row + n] = highest;
  }
};
template <int D, class T>
struct shifted {
  int by, steps, rows;
  const int* lengths;
  operand<const T> in;
  operand<T> out;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [row, j] = row_of(index, D);
    const auto [t, r] = step_of(row, rows);
    const bool is_there = t - by >= 0 && t - by < end_of(lengths, r, steps);
    out.data[t * out.step + r * out.row + j] = is_there ? in.data[(t - by) * in.step + r * in.row + j] : T(0);
  }
};
template <int D, class T>
struct flipped {
  int steps, rows;
  const int* lengths;
  operand<const T> in;
  operand<T> out;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [row, j] = row_of(index, D);
    const auto [t, r] = step_of(row, rows);
    const std::ptrdiff_t from = end_of(lengths, r, steps) - 1 - t;
    out.data[t * out.step + r * out.row + j] = from >= 0 ? in.data[from * in.step + r * in.row + j] : T(0);
  }
};

}  // namespace thrust_detail

template <int N, class T>
void axis_softmax(thrust_device, int steps, int rows, const int* lengths, const T* scores, T* weights) {
  const std::ptrdiff_t columns = std::ptrdiff_t(rows) * N;
  thrust_detail::for_each_index(
      columns, thrust_detail::softmax_of_column<N, T>{steps, columns, lengths, scores, weights});
}
template <int D, class T>
void weighted_sum(thrust_device, int steps, int rows, const T* weights, const operand<const T>& values,
                  T* out, std::ptrdiff_t out_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * D, thrust_detail::weighted_sum_of_column<D, T>{
                                                              steps, rows, weights, values, out, out_stride});
}
template <int N, class T>
void axis_sum(thrust_device, int steps, int rows, const T* in, std::ptrdiff_t in_row, std::ptrdiff_t in_step,
              T* out, std::ptrdiff_t out_row) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * N, thrust_detail::sum_of_column<N, T>{
                                                              steps, {in, in_row, in_step}, out, out_row});
}
template <int N, class T>
void axis_max(thrust_device, int steps, int rows, const int* lengths, const operand<const T>& in, T* out,
              std::ptrdiff_t out_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * N,
                                thrust_detail::largest_of_column<N, T>{steps, lengths, in, out, out_stride});
}
template <int D, class T>
void shift(thrust_device, int by, int steps, int rows, const int* lengths, const operand<const T>& in,
           const operand<T>& out) {
  thrust_detail::for_each_index(std::ptrdiff_t(steps) * rows * D,
                                thrust_detail::shifted<D, T>{by, steps, rows, lengths, in, out});
}
template <int D, class T>
void flip(thrust_device, int steps, int rows, const int* lengths, const operand<const T>& in,
          const operand<T>& out) {
  thrust_detail::for_each_index(std::ptrdiff_t(steps) * rows * D,
                                thrust_detail::flipped<D, T>{steps, rows, lengths, in, out});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
