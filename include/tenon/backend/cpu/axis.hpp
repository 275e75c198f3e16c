// Along an axis of steps: softmax of scores [steps, rows, N], vector<T>::size of them at a time, sums of values
// [steps, rows, D] with weights, the maximum, and steps moved.
#pragma once

#include "tenon/backend/cpu/math.hpp"
#include "tenon/backend/cpu/rows.hpp"
#include "tenon/backend/cpu/tag.hpp"

#include <cstddef>
#include <limits>

namespace tenon::backend::inline TENON_INSTRUCTION_SET {

namespace detail {
// f(r, count, lanes) for every vector of rows: `count` rows from r on.
template <class T, class F>
void for_row_vectors(int rows, F f) {
  using V = simd::vector<T>;
  constexpr int size = V::size;
  int r = 0;
  for (; r + size <= rows; r += size) f(r, size, simd::whole<V>{});
  if (r < rows) f(r, rows - r, simd::part<V>(rows - r));
}
}  // namespace detail

// weights[t, r, n] = exp(scores[t, r, n] - m_r) / sum_{t < lengths[r]} exp(...), 0 from lengths[r] on
template <int N, class T>
void axis_softmax(cpu, int steps, int rows, const int* lengths, const T* scores, T* weights) {
  using V = simd::vector<T>;
  const int columns = rows * N;
  detail::for_row_vectors<T>(columns, [&](int first, int count, auto lanes) {
    T as_numbers[V::size]{};
    for (int c = 0; c < count; ++c)
      as_numbers[c] = static_cast<T>(lengths == nullptr ? steps : lengths[(first + c) / N]);
    const V end = V::load(as_numbers), zero(0);
    const auto at = [&](int t) { return std::ptrdiff_t(t) * columns + first; };
    V top(-std::numeric_limits<T>::infinity()), total(0);
    for (int t = 0; t < steps; ++t) {
      const V score = lanes.load(scores + at(t));
      top = select(V(t) < end, select(top < score, score, top), top);
    }
    for (int t = 0; t < steps; ++t) {
      const V weight = select(V(t) < end, exp(lanes.load(scores + at(t)) - top), zero);
      total = total + weight;
      lanes.store(weights + at(t), weight);
    }
    total = select(total > zero, total, select(end > zero, total, V(1)));  // no step, no weight: 0 / 1
    for (int t = 0; t < steps; ++t) lanes.store(weights + at(t), lanes.load(weights + at(t)) / total);
  });
}
// out[r, :] = sum_t weights[t, r] values[t, r, :], from the last steps and rows to the first: what has been
// scored last is still in the cache. Few steps at a time are few rows of memory that are read side by side;
// where a row's steps follow each other, all of them are one stream.
template <int D, class T>
void weighted_sum(cpu, int steps, int rows, const T* weights, const operand<const T>& values, T* out,
                  std::ptrdiff_t out_stride) {
  const int together = values.is_rows_of_steps() ? steps : 16;
  for (int r = 0; r < rows; ++r) detail::clear_row<D>(out + r * out_stride);
  for (int last = steps; last > 0; last -= together) {
    const int first = last > together ? last - together : 0;
    for (int r = rows - 1; r >= 0; --r) {
      const T* const w = weights + std::ptrdiff_t(first) * rows + r;
      detail::sum_rows<D>(last - first, values.data + first * values.step + r * values.row, values.step,
                          out + r * out_stride,
                          [&](int t) { return simd::vector<T>(w[std::ptrdiff_t(t) * rows]); });
    }
  }
}
// out[r, n] = max_{t < lengths[r]} in[t, r, n]
template <int N, class T>
void axis_max(cpu, int steps, int rows, const int* lengths, const operand<const T>& in, T* out,
              std::ptrdiff_t out_stride) {
  using V = simd::vector<T>;
  const auto highest = [&](int r, int n, auto lanes) {
    const int end = lengths != nullptr && lengths[r] < steps ? lengths[r] : steps;
    const T* const x = in.data + r * in.row + n;
    V top = end > 0 ? lanes.load(x) : V(0);
    for (int t = 1; t < end; ++t) {
      const V next = lanes.load(x + t * in.step);
      top = select(top < next, next, top);
    }
    lanes.store(out + r * out_stride + n, top);
  };
  for (int r = 0; r < rows; ++r) {
    int n = 0;
    for (; n + V::size <= N; n += V::size) highest(r, n, simd::whole<V>{});
    if (n < N) highest(r, n, simd::part<V>(N - n));
  }
}

// out[t, r, :] = in[t - by, r, :] where t - by is a step of the row, else 0
template <int D, class T>
void shift(cpu, int by, int steps, int rows, const int* lengths, const operand<const T>& in,
           const operand<T>& out) {
  for (int t = 0; t < steps; ++t) {
    const int from = t - by;
    for (int r = 0; r < rows; ++r) {
      T* const y = out.data + t * out.step + r * out.row;
      if (from >= 0 && from < (lengths != nullptr ? lengths[r] : steps) && from < steps)
        detail::copy_row<D>(in.data + from * in.step + r * in.row, y);
      else detail::clear_row<D>(y);
    }
  }
}

}  // namespace tenon::backend::inline TENON_INSTRUCTION_SET
