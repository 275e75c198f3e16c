// Kernels along an axis of steps: softmax of scores [steps, rows, N], vector<T>::size of them at a time, weighted sums
// of values [steps, rows, D], the maximum, and shifted and flipped steps.
#pragma once

#include "tenon/backend/cpu/math.hpp"
#include "tenon/backend/cpu/rows.hpp"
#include "tenon/backend/cpu/tag.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

namespace detail {
// `Vectors` columns of vectors side by side; `last` selects the lanes of the last one. `lengths` has one length for each column;
// null: all steps. Columns are handled together so that whole lines of memory are read and their sums do not wait for each other.
template <int Vectors, class T, class Lanes>
TENON_ALWAYS_INLINE inline void softmax_columns(int steps, std::ptrdiff_t step, const T* lengths,
                                                const T* scores, T* weights, Lanes last) {
  using V = simd::vector<T>;
  const V masked = V(std::numeric_limits<T>::lowest());
  V end[Vectors], top[Vectors], total[Vectors];
  int common = steps;  // no column ends before this step
  if (lengths != nullptr)
    for (int c = 0; c < Vectors * V::size; ++c) common = lengths[c] < T(common) ? int(lengths[c]) : common;
  const auto each = [&](auto f) TENON_ALWAYS_INLINE {
    if constexpr (Vectors > 1)
      repeat<Vectors - 1>([&](int v) TENON_ALWAYS_INLINE { f(v, simd::whole<V>{}); });
    f(Vectors - 1, last);
  };
  // f(t, v, lanes, value): value is `other` where a column has ended
  const auto each_step = [&](V other, const T* from, auto f) TENON_ALWAYS_INLINE {
    for (int t = 0; t < common; ++t)
      each([&](int v, auto lanes)
               TENON_ALWAYS_INLINE { f(t, v, lanes, lanes.load(from + t * step + v * V::size)); });
    for (int t = common; t < steps; ++t)
      each([&](int v, auto lanes) TENON_ALWAYS_INLINE {
        f(t, v, lanes, select(V(t) < end[v], lanes.load(from + t * step + v * V::size), other));
      });
  };
  each([&](int v, auto) TENON_ALWAYS_INLINE {
    end[v] = lengths == nullptr ? V(steps) : V::load(lengths + v * V::size);
    top[v] = masked;
    total[v] = V(0);
  });
  each_step(masked, scores, [&](int, int v, auto, V score) TENON_ALWAYS_INLINE {
    top[v] = select(top[v] < score, score, top[v]);
  });
  each_step(masked, scores, [&](int t, int v, auto lanes, V score) TENON_ALWAYS_INLINE {
    V weight = exp(score - top[v]);
    if (t >= common) weight = select(V(t) < end[v], weight, V(0));
    total[v] = total[v] + weight;
    lanes.store(weights + t * step + v * V::size, weight);
  });
  each([&](int v, auto) TENON_ALWAYS_INLINE {  // 0 where all steps are masked, or there are none
    total[v] = select(masked < top[v], V(1) / total[v], V(0));
  });
  for (int t = 0; t < steps; ++t)
    each([&](int v, auto lanes) TENON_ALWAYS_INLINE {
      T* const weight = weights + t * step + v * V::size;
      lanes.store(weight, lanes.load(weight) * total[v]);
    });
}
}  // namespace detail

// weights[t, r, n] = exp(scores[t, r, n] - m_r) / sum_{t < lengths[r]} exp(...), 0 from lengths[r] on, and for masked steps: see
// reference/axis.hpp. Not inlined: where g++ knows the number of lengths, it warns about the loops over whole vectors, although so few rows
// never reach them.
template <int N, class T>
[[gnu::noinline]] void axis_softmax(cpu, int steps, int rows, const int* lengths, const T* scores,
                                    T* weights) {
  using V = simd::vector<T>;
  constexpr int together = 2;
  const int columns = rows * N;
  const auto some = [&](auto vectors, int first, int count, auto last) {
    T ends[vectors * V::size];
    if (lengths != nullptr) {
      for (int c = 0; c < count; ++c) ends[c] = static_cast<T>(lengths[(first + c) / N]);
      std::fill(ends + count, std::end(ends), static_cast<T>(steps));
    }
    detail::softmax_columns<vectors>(steps, columns, lengths == nullptr ? nullptr : ends, scores + first,
                                     weights + first, last);
  };
  int c = 0;
  for (; c + together * V::size <= columns; c += together * V::size)
    some(std::integral_constant<int, together>{}, c, together * V::size, simd::whole<V>{});
  for (; c + V::size <= columns; c += V::size)
    some(std::integral_constant<int, 1>{}, c, V::size, simd::whole<V>{});
  if (c < columns) some(std::integral_constant<int, 1>{}, c, columns - c, simd::part<V>(columns - c));
}
// out[r, :] = sum_t weights[t, r] values[t, r, :], from the last steps and rows to the first: the values that were
// scored last are still in the cache. A few steps at a time, so that few rows of memory are read side by side;
// if a row's steps are adjacent in memory, all of them are read as one stream.
template <int D, class T>
void weighted_sum(cpu, int steps, int rows, const T* weights, const operand<const T>& values, T* out,
                  std::ptrdiff_t out_stride) {
  const int together = values.is_rows_of_steps() && !simd::adds_in_one_order ? steps : 16;
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
// out[t, r, :] = in[end - 1 - t, r, :] where end is the row's length; 0 from step end on
template <int D, class T>
void flip(cpu, int steps, int rows, const int* lengths, const operand<const T>& in, const operand<T>& out) {
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r) {
      const int end = lengths != nullptr && lengths[r] < steps ? lengths[r] : steps, from = end - 1 - t;
      T* const y = out.data + t * out.step + r * out.row;
      if (from >= 0) detail::copy_row<D>(in.data + from * in.step + r * in.row, y);
      else detail::clear_row<D>(y);
    }
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
