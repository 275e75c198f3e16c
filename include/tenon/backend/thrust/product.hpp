// Products with a learned matrix w [N, K] and the gradients of both sides on Thrust: one thread for each number of a result. Each
// adds up in a fixed order, so that equal runs give equal bits.
#pragma once

#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

// packed[k, n] = w[n, k]: the weights that a step of the sum reads are side by side, stored as W.
template <int N, int K, class T, class W>
struct transpose_number {
  const T* w;
  W* packed;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [k, n] = row_of(index, N);
    packed[index] = W(w[std::ptrdiff_t(n) * K + k]);
  }
};

// sums[c] += x[i * x_step] * m[i * m_step + c] for all i < count: a few columns in one row of a product.
template <int Columns, class T, class W>
TENON_HOST_DEVICE inline void add_products(int count, const T* x, std::ptrdiff_t x_step, const W* m,
                                           std::ptrdiff_t m_step, T* sums) {
  for (int i = 0; i < count; ++i, x += x_step, m += m_step)
    for (int c = 0; c < Columns; ++c) sums[c] += *x * m[c];
}
// y[r, n] = sum_i x[r, i] m[i, n], m [Inner, N]
template <int N, int Inner, class T, class W>
struct multiply {
  const T* x;
  const W* m;
  T* y;
  std::ptrdiff_t x_row, y_row;

  struct columns {
    const multiply& all;
    std::ptrdiff_t r;
    template <int Count>
    TENON_HOST_DEVICE void make(int n) const {
      T sums[Count]{};
      add_products<Count>(Inner, all.x + r * all.x_row, 1, all.m + n, N, sums);
      for (int c = 0; c < Count; ++c) all.y[r * all.y_row + n + c] = sums[c];
    }
  };
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, block] = row_of(index, blocks_of(N));
    with_columns<N>(block, columns{*this, r});
  }
};
// dw[n, k] += sum_r g[r, n] x[r, k]
template <int K, class T>
struct add_outer {
  int rows;
  const T *g, *x;
  T* dw;
  std::ptrdiff_t g_row, x_row;

  struct columns {
    const add_outer& all;
    std::ptrdiff_t n;
    template <int Count>
    TENON_HOST_DEVICE void make(int k) const {
      T sums[Count]{};
      add_products<Count>(all.rows, all.g + n, all.g_row, all.x + k, all.x_row, sums);
      for (int c = 0; c < Count; ++c) all.dw[n * K + k + c] += sums[c];
    }
  };
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [n, block] = row_of(index, blocks_of(K));
    with_columns<K>(block, columns{*this, n});
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
// W: the type in which a weight is stored.
template <int N, int K, class T, class W>
void pack(thrust_device, const T* w, W* packed) {
  thrust_detail::for_each_index(std::ptrdiff_t(N) * K,
                                thrust_detail::transpose_number<N, K, T, W>{w, packed});
}
template <int N, int K, class T, class W>
void matmul(thrust_device, int rows, const T* x, std::ptrdiff_t x_stride, const W* packed, T* y,
            std::ptrdiff_t y_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * thrust_detail::blocks_of(N),
                                thrust_detail::multiply<N, K, T, W>{x, packed, y, x_stride, y_stride});
}
template <int N, int K, class T>
void matmul_transposed(thrust_device, int rows, const T* g, std::ptrdiff_t g_stride, const T* w, T* dx,
                       std::ptrdiff_t dx_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * thrust_detail::blocks_of(K),
                                thrust_detail::multiply<K, N, T, T>{g, w, dx, g_stride, dx_stride});
}
template <int N, int K, class T>
void gradient_outer(thrust_device, int rows, const T* g, std::ptrdiff_t g_stride, const T* x,
                    std::ptrdiff_t x_stride, T* dw) {
  thrust_detail::for_each_index(std::ptrdiff_t(N) * thrust_detail::blocks_of(K),
                                thrust_detail::add_outer<K, T>{rows, g, x, dw, g_stride, x_stride});
}
template <int N, class T>
void gradient_sum(thrust_device, int rows, const T* g, std::ptrdiff_t g_stride, T* db) {
  thrust_detail::for_each_index(N, thrust_detail::add_rows_up<T>{rows, g, db, g_stride});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
