// Products with a learned matrix w [N, K] and the gradients of both sides on Thrust: a thread for each number that is made. Each
// adds up in a fixed order, so that equal runs give equal bits.
#pragma once

#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"

namespace tenon::backend {

namespace thrust_detail {

template <class T>
struct copy_numbers {
  const T* from;
  T* to;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t k) const { to[k] = from[k]; }
};
// y[r, n] = sum_k x[r, k] w[n, k]
template <int N, int K, class T>
struct multiply {
  const T *x, *w;
  T* y;
  std::ptrdiff_t x_row, y_row;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, n] = row_of(index, N);
    const T *row = x + r * x_row, *weights = w + std::ptrdiff_t(n) * K;
    T sum = 0;
    for (int k = 0; k < K; ++k) sum += row[k] * weights[k];
    y[r * y_row + n] = sum;
  }
};
// dx[r, k] = sum_n g[r, n] w[n, k]
template <int N, int K, class T>
struct multiply_transposed {
  const T *g, *w;
  T* dx;
  std::ptrdiff_t g_row, dx_row;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, k] = row_of(index, K);
    T sum = 0;
    for (int n = 0; n < N; ++n) sum += g[r * g_row + n] * w[std::ptrdiff_t(n) * K + k];
    dx[r * dx_row + k] = sum;
  }
};
// dw[n, k] += sum_r g[r, n] x[r, k]
template <int K, class T>
struct add_outer {
  int rows;
  const T *g, *x;
  T* dw;
  std::ptrdiff_t g_row, x_row;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [n, k] = row_of(index, K);
    T sum = 0;
    for (int r = 0; r < rows; ++r) sum += g[r * g_row + n] * x[r * x_row + k];
    dw[index] += sum;
  }
};
// db[n] += sum_r g[r, n]
template <class T>
struct add_rows_up {
  int rows;
  const T* g;
  T* db;
  std::ptrdiff_t g_row;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t n) const {
    T sum = 0;
    for (int r = 0; r < rows; ++r) sum += g[r * g_row + n];
    db[n] += sum;
  }
};

}  // namespace thrust_detail

template <int N, int K>
constexpr int packed_size(thrust_device) {
  return N * K;
}
template <int N, int K, class T>
void pack(thrust_device, const T* w, T* packed) {
  thrust_detail::for_each_index(std::ptrdiff_t(N) * K, thrust_detail::copy_numbers<T>{w, packed});
}
template <int N, int K, class T>
void contract(thrust_device, int rows, const T* x, std::ptrdiff_t x_stride, const T* packed, T* y,
              std::ptrdiff_t y_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * N,
                                thrust_detail::multiply<N, K, T>{x, packed, y, x_stride, y_stride});
}
template <int N, int K, class T>
void contract_transposed(thrust_device, int rows, const T* g, std::ptrdiff_t g_stride, const T* w, T* dx,
                         std::ptrdiff_t dx_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * K,
                                thrust_detail::multiply_transposed<N, K, T>{g, w, dx, g_stride, dx_stride});
}
template <int N, int K, class T>
void gradient_outer(thrust_device, int rows, const T* g, std::ptrdiff_t g_stride, const T* x,
                    std::ptrdiff_t x_stride, T* dw) {
  thrust_detail::for_each_index(std::ptrdiff_t(N) * K,
                                thrust_detail::add_outer<K, T>{rows, g, x, dw, g_stride, x_stride});
}
template <int N, class T>
void gradient_sum(thrust_device, int rows, const T* g, std::ptrdiff_t g_stride, T* db) {
  thrust_detail::for_each_index(N, thrust_detail::add_rows_up<T>{rows, g, db, g_stride});
}

}  // namespace tenon::backend
