// Products with a learned matrix w [N, K] and the gradients of both sides. Rows of x, y and g may be spaced
// wider than their length: row r starts at r * stride.
#pragma once

#include "tenon/backend/reference/tag.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend {

// How many elements the copy of w has that `matmul` reads. Each backend chooses its own order.
template <int N, int K>
constexpr int packed_size(reference) {
  return N * K;
}
// packed := w [N, K], in the order in which matmul<N, K> reads it
template <int N, int K, class T>
void pack(reference, const T* w, T* packed) {
  for (int i = 0; i < N * K; ++i) packed[i] = w[i];
}
// y[r, n] = sum_k x[r, k] w[n, k]
template <int N, int K, class T>
void matmul(reference, int rows, const T* x, std::ptrdiff_t x_stride, const T* packed, T* y,
            std::ptrdiff_t y_stride) {
  for (int r = 0; r < rows; ++r)
    for (int n = 0; n < N; ++n) {
      T sum = 0;
      for (int k = 0; k < K; ++k) sum += x[r * x_stride + k] * packed[n * K + k];
      y[r * y_stride + n] = sum;
    }
}
// dx[r, k] = sum_n g[r, n] w[n, k], w as it is stored
template <int N, int K, class T>
void matmul_transposed(reference, int rows, const T* g, std::ptrdiff_t g_stride, const T* w, T* dx,
                       std::ptrdiff_t dx_stride) {
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < K; ++k) {
      T sum = 0;
      for (int n = 0; n < N; ++n) sum += g[r * g_stride + n] * w[n * K + k];
      dx[r * dx_stride + k] = sum;
    }
}
// dw[n, k] += sum_r g[r, n] x[r, k]
template <int N, int K, class T>
void gradient_outer(reference, int rows, const T* g, std::ptrdiff_t g_stride, const T* x,
                    std::ptrdiff_t x_stride, T* dw) {
  for (int n = 0; n < N; ++n)
    for (int k = 0; k < K; ++k) {
      T sum = 0;
      for (int r = 0; r < rows; ++r) sum += g[r * g_stride + n] * x[r * x_stride + k];
      dw[n * K + k] += sum;
    }
}
// db[n] += sum_r g[r, n]
template <int N, class T>
void gradient_sum(reference, int rows, const T* g, std::ptrdiff_t g_stride, T* db) {
  for (int n = 0; n < N; ++n) {
    T sum = 0;
    for (int r = 0; r < rows; ++r) sum += g[r * g_stride + n];
    db[n] += sum;
  }
}
// out[r, n] = sum_t in[t, r, n]
template <int N, class T>
void axis_sum(reference, int steps, int rows, const T* in, std::ptrdiff_t in_row, std::ptrdiff_t in_step,
              T* out, std::ptrdiff_t out_row) {
  for (int r = 0; r < rows; ++r)
    for (int n = 0; n < N; ++n) {
      T sum = 0;
      for (int t = 0; t < steps; ++t) sum += in[t * in_step + r * in_row + n];
      out[r * out_row + n] = sum;
    }
}

}  // namespace tenon::inline v0_1::backend
