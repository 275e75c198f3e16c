// Attention over time: softmax of scores [steps, rows], vector<T>::size rows at a time, and sums of values
// [steps, rows, D].
#pragma once

#include "tenon/backend/cpu/math.hpp"
#include "tenon/backend/cpu/rows.hpp"
#include "tenon/backend/cpu/tag.hpp"

#include <cstddef>
#include <limits>

namespace tenon::backend {

namespace detail {
// f(r, count, lanes) for every vector of rows: `count` rows from r on.
template <class T, class F>
void for_row_vectors(int rows, F f) {
  constexpr int size = simd::vector<T>::size;
  int r = 0;
  for (; r + size <= rows; r += size) f(r, size, simd::whole<T>{});
  if (r < rows) f(r, rows - r, simd::part<T>(rows - r));
}
}  // namespace detail

// weights[t, r] = exp(scores[t, r] - m_r) / sum_{t < lengths[r]} exp(...), 0 from lengths[r] on
template <class T>
void time_softmax(cpu, int steps, int rows, const int* lengths, const T* scores, T* weights) {
  using V = simd::vector<T>;
  detail::for_row_vectors<T>(rows, [&](int first, int count, auto lanes) {
    T as_numbers[V::size]{};
    for (int r = 0; r < count; ++r) as_numbers[r] = static_cast<T>(lengths[first + r]);
    const V end = V::load(as_numbers), zero(0);
    const auto at = [&](int t) { return std::ptrdiff_t(t) * rows + first; };
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
// dscores[t, r] = weights[t, r] (dweights[t, r] - sum_s weights[s, r] dweights[s, r])
template <class T>
void time_softmax_gradient(cpu, int steps, int rows, const T* weights, const T* dweights, T* dscores) {
  detail::for_row_vectors<T>(rows, [&](int first, int, auto lanes) {
    const auto at = [&](const T* data, int t) { return lanes.load(data + std::ptrdiff_t(t) * rows + first); };
    simd::vector<T> mean(0);
    for (int t = 0; t < steps; ++t) mean = fma(at(weights, t), at(dweights, t), mean);
    for (int t = 0; t < steps; ++t)
      lanes.store(dscores + std::ptrdiff_t(t) * rows + first, at(weights, t) * (at(dweights, t) - mean));
  });
}
// out[r, :] = sum_t weights[t, r] values[t, r, :]
template <int D, class T>
void weighted_sum(cpu, int steps, int rows, const T* weights, const T* values, std::ptrdiff_t stride, T* out,
                  std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r)
    detail::sum_rows<D>(steps, values + r * stride, rows * stride, out + r * out_stride,
                        [&](int t) { return simd::vector<T>(weights[std::ptrdiff_t(t) * rows + r]); });
}
// dweights[t, r] = g[r, :] . values[t, r, :]     dvalues[t, r, :] = weights[t, r] g[r, :]
template <int D, class T>
void weighted_sum_gradient(cpu, int steps, int rows, const T* weights, const T* values, std::ptrdiff_t stride,
                           const T* g, std::ptrdiff_t g_stride, T* dweights, T* dvalues,
                           std::ptrdiff_t d_stride) {
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r) {
      const std::ptrdiff_t row = std::ptrdiff_t(t) * rows + r;
      const simd::vector<T> weight(weights[row]);
      simd::vector<T> total(0);
      simd::for_vectors<D, T>([&](int j, auto lanes) {
        const simd::vector<T> adjoint = lanes.load(g + r * g_stride + j);
        total = fma(adjoint, lanes.load(values + row * stride + j), total);
        lanes.store(dvalues + row * d_stride + j, weight * adjoint);
      });
      dweights[row] = sum(total);
    }
}

}  // namespace tenon::backend
