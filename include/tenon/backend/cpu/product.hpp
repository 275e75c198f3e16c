// Products with a learned matrix w [N, K]: one register-tiled loop (tile.hpp), three ways to stride through
// memory.
#pragma once

#include "tenon/backend/cpu/tag.hpp"
#include "tenon/backend/cpu/tile.hpp"

#include <cstddef>

namespace tenon::backend {

namespace detail {
template <int N, class T>
inline constexpr int padded_to_vectors =
    (N + simd::vector<T>::size - 1) / simd::vector<T>::size* simd::vector<T>::size;
}

// Room for w transposed, [K, N], with N rounded up to the widest vector (that of float).
template <int N, int K>
constexpr int packed_size(cpu) {
  return detail::padded_to_vectors<N, float> * K;
}
// w transposed, in panels of two vectors: packed[n / P][k][n % P], zeros past N
template <int N, int K, class T>
void pack(cpu, const T* w, T* packed) {
  constexpr int panel = simd::right_matrix<T>::panel_width, padded = detail::padded_to_vectors<N, T>;
  for (int first = 0; first < padded; first += panel) {
    const int width = padded - first < panel ? padded - first : panel;
    for (int k = 0; k < K; ++k)
      for (int n = first; n < first + width; ++n) *packed++ = n < N ? w[n * K + k] : T(0);
  }
}
// y[r, n] = sum_k x[r, k] w[n, k]
template <int N, int K, class T>
void contract(cpu, int rows, const T* x, std::ptrdiff_t x_stride, const T* packed, T* y,
              std::ptrdiff_t y_stride) {
  constexpr int panel = simd::right_matrix<T>::panel_width, padded = detail::padded_to_vectors<N, T>;
  constexpr int full = padded / panel * panel, rest = padded - full;  // the last panel may be half as wide
  const simd::left_matrix<T> left{x, x_stride, 1};
  if constexpr (full > 0)
    simd::product < N<full ? N : full, K, T>(rows, left, {packed, panel, panel * K, true}, {y, y_stride});
  if constexpr (rest > 0)
    simd::product<N - full, K, T>(rows, left, {packed + full * K, rest, 0, true}, {y + full, y_stride});
}
// dx[r, k] = sum_n g[r, n] w[n, k], w as it is stored
template <int N, int K, class T>
void contract_transposed(cpu, int rows, const T* g, std::ptrdiff_t g_stride, const T* w, T* dx,
                         std::ptrdiff_t dx_stride) {
  simd::product<K, N, T>(rows, {g, g_stride, 1}, {w, K, simd::right_matrix<T>::panel_width}, {dx, dx_stride});
}
// dw[n, k] += sum_r g[r, n] x[r, k], some rows at a time, so that they stay in the cache
template <int N, int K, class T>
void gradient_outer(cpu, int rows, const T* g, std::ptrdiff_t g_stride, const T* x, std::ptrdiff_t x_stride,
                    T* dw) {
  constexpr int together = 128;
  for (int r = 0; r < rows; r += together) {
    const int depth = rows - r < together ? rows - r : together;
    simd::product<T>(N, K, depth, {g + r * g_stride, 1, g_stride},
                     {x + r * x_stride, x_stride, simd::right_matrix<T>::panel_width}, {dw, K, true});
  }
}
// db[n] += sum_r g[r, n]
template <int N, class T>
void gradient_sum(cpu, int rows, const T* g, std::ptrdiff_t g_stride, T* db) {
  simd::for_vectors<N, T>([&](int n, auto lanes) {
    simd::vector<T> total(0);
    for (int r = 0; r < rows; ++r) total = total + lanes.load(g + r * g_stride + n);
    lanes.store(db + n, lanes.load(db + n) + total);
  });
}
// out[r, n] = sum_t in[t, r, n]
template <int N, class T>
void time_sum(cpu, int steps, int rows, const T* in, std::ptrdiff_t in_row, std::ptrdiff_t in_step, T* out,
              std::ptrdiff_t out_row) {
  for (int r = 0; r < rows; ++r)
    simd::for_vectors<N, T>([&](int n, auto lanes) {
      simd::vector<T> total(0);
      for (int t = 0; t < steps; ++t) total = total + lanes.load(in + t * in_step + r * in_row + n);
      lanes.store(out + r * out_row + n, total);
    });
}

}  // namespace tenon::backend
