// Pieces of the products of product.hpp and int8_product.hpp, for threads that share one: some columns or rows of a result, some rows of a
// gradient. A piece consists of the same tiles as the whole, so each number has the same bits however many pieces there are.
#pragma once

#include "tenon/backend/cpu/int8_product.hpp"
#include "tenon/backend/cpu/product.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

namespace detail {

// As many columns as a single row runs at once.
template <class T>
inline constexpr int columns_of_unit = simd::vectors_of_row* simd::vector<T>::size;
// A single row ends with a tile of its own if its columns are no whole panels: then one thread computes all of them.
template <int Columns, class T>
constexpr bool is_one_piece(int rows) {
  return rows == 1 && Columns % simd::right_matrix<T>::panel_width != 0;
}

}  // namespace detail

// Columns of y: see matmul.
template <int N, int K, class T>
void matmul_piece(cpu, piece mine, int rows, const T* x, std::ptrdiff_t x_stride, const T* packed, T* y,
                  std::ptrdiff_t y_stride) {
  if (detail::is_one_piece<N, T>(rows)) {
    if (mine.is_last()) matmul<N, K>(cpu{}, rows, x, x_stride, packed, y, y_stride);
    return;
  }
  constexpr int panel = simd::right_matrix<T>::panel_width, padded = detail::padded_to_vectors<N, T>;
  constexpr int full = padded / panel * panel, rest = padded - full, width = N < full ? N : full;
  const simd::left_matrix<T> left{x, x_stride, 1};
  constexpr int unit = detail::columns_of_unit<T>;
  if (const int first = mine.start(width, unit), end = mine.end(width, unit); first < end)
    simd::product<T>(rows, end - first, K, left, {packed + std::ptrdiff_t(first) * K, panel, panel * K, true},
                     {y + first, y_stride});
  if constexpr (rest > 0)
    if (mine.is_last())
      simd::product<N - full, K, T>(rows, left, {packed + full * K, rest, 0, true}, {y + full, y_stride});
}
// Rows of y.
template <int N, int K, HasInt8Weights Backend>
void matmul_piece(Backend on, piece mine, int rows, const float* x, std::ptrdiff_t x_row, const float* packed,
                  float* y, std::ptrdiff_t y_row) {
  const int first = mine.start(rows);
  matmul<N, K>(on, mine.end(rows) - first, x + first * x_row, x_row, packed, y + first * y_row, y_row);
}
// Columns of dx: see matmul_transposed.
template <int N, int K, class T>
void matmul_transposed_piece(cpu, piece mine, int rows, const T* g, std::ptrdiff_t g_stride, const T* w,
                             T* dx, std::ptrdiff_t dx_stride, bool add) {
  if (detail::is_one_piece<K, T>(rows)) {
    if (mine.is_last()) matmul_transposed<N, K>(cpu{}, rows, g, g_stride, w, dx, dx_stride, add);
    return;
  }
  constexpr int unit = detail::columns_of_unit<T>;
  if (const int first = mine.start(K, unit), end = mine.end(K, unit); first < end)
    simd::product<T>(rows, end - first, N, {g, g_stride, 1},
                     {w + first, K, simd::right_matrix<T>::panel_width}, {dx + first, dx_stride, add});
}
// The same with packed w: see contract_packed_transposed.
template <int N, int K, class T>
void contract_packed_transposed_piece(cpu, piece mine, int rows, const T* g, std::ptrdiff_t g_stride,
                                      const T* packed, T* dx, std::ptrdiff_t dx_stride, bool add) {
  constexpr int panel = simd::right_matrix<T>::panel_width, unit = detail::columns_of_unit<T>;
  if (const int first = mine.start(K, unit), end = mine.end(K, unit); first < end)
    simd::product<T>(rows, end - first, N, {g, g_stride, 1},
                     {packed + std::ptrdiff_t(first) * N, panel, std::ptrdiff_t(panel) * N},
                     {dx + first, dx_stride, add});
}
// Rows of dw: see gradient_outer. `scratch`: this thread's own, of outer_scratch_size<N, K> elements.
template <int N, int K, class T>
void gradient_outer_piece(cpu, piece mine, int rows, const T* g, std::ptrdiff_t g_stride, const T* x,
                          std::ptrdiff_t x_stride, T* dw, [[maybe_unused]] T* scratch) {
  const int first = mine.start(N, simd::tallest_tile), height = mine.end(N, simd::tallest_tile) - first;
  T* const to = dw + std::ptrdiff_t(first) * K;
  if (height == 0) return;
  if constexpr (outer_scratch_size<N, K>(cpu{}) > 0)
    detail::gradient_outer_rows<N, K>(height, rows, g + first, g_stride, x, x_stride, to, scratch);
  else detail::gradient_outer_rows<K>(height, rows, g + first, g_stride, x, x_stride, to);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
