// Products with a learned matrix w [N, K]: one register-tiled loop (tile.hpp), which goes through memory in three
// orders.
#pragma once

#include "tenon/backend/cpu/rows.hpp"
#include "tenon/backend/cpu/tag.hpp"
#include "tenon/backend/cpu/tile.hpp"
#include "tenon/backend/cpu/transpose.hpp"

#include <algorithm>
#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

namespace detail {
// How many numbers a row of w has from which on it is packed for dx, and g for dw: measured where vectors are a whole line, and half of one.
#if defined(__AVX512F__)
inline constexpr int packed_from = 256, outer_packed_from = 1024;
#else
inline constexpr int packed_from = 128, outer_packed_from = 128;
#endif
template <int N, class T>
inline constexpr int padded_to_vectors =
    (N + simd::vector<T>::size - 1) / simd::vector<T>::size* simd::vector<T>::size;
}  // namespace detail

// The size of w transposed, [K, N], with N rounded up to the widest vector (that of float).
template <int N, int K>
constexpr int packed_size(cpu) {
  return detail::padded_to_vectors<N, float> * K;
}

// w transposed, in panels of two vectors: packed[n / P][k][n % P], zeros past N
template <int N, int K, class T>
void pack(cpu, const T* w, T* packed) {
  constexpr int size = simd::vector<T>::size, panel = simd::right_matrix<T>::panel_width,
                padded = detail::padded_to_vectors<N, T>;
  for (int first = 0; first < padded; first += panel) {
    const int width = padded - first < panel ? padded - first : panel;
    for (int v = 0; v < width; v += size)
      simd::pack_columns<simd::vector<T>>(N - first - v, K, w + std::ptrdiff_t(first + v) * K, K, packed + v,
                                          width);
    packed += std::ptrdiff_t(width) * K;
  }
}
// y[r, n] = sum_k x[r, k] w[n, k]
template <int N, int K, class T>
void matmul(cpu, int rows, const T* x, std::ptrdiff_t x_stride, const T* packed, T* y,
            std::ptrdiff_t y_stride) {
  constexpr int panel = simd::right_matrix<T>::panel_width, padded = detail::padded_to_vectors<N, T>;
  constexpr int full = padded / panel * panel, rest = padded - full;  // the last panel may be half as wide
  const simd::left_matrix<T> left{x, x_stride, 1};
  if constexpr (full > 0)
    simd::product < N<full ? N : full, K, T>(rows, left, {packed, panel, panel * K, true}, {y, y_stride});
  if constexpr (rest > 0)
    simd::product<N - full, K, T>(rows, left, {packed + full * K, rest, 0, true}, {y + full, y_stride});
}
// dx[r, k] (+)= sum_n g[r, n] w[n, k], w as it is stored
template <int N, int K, class T>
void matmul_transposed(cpu, int rows, const T* g, std::ptrdiff_t g_stride, const T* w, T* dx,
                       std::ptrdiff_t dx_stride, bool add = false) {
  simd::product<K, N, T>(rows, {g, g_stride, 1}, {w, K, simd::right_matrix<T>::panel_width},
                         {dx, dx_stride, add});
}
// Long rows of w are so far apart that a panel of them competes for a few sets of the cache. The size of w in panels,
// [k / P][n][k % P]; 0: w needs no packing.
template <int N, int K>
constexpr long packed_transposed_size(cpu) {
  constexpr int panel = simd::right_matrix<float>::panel_width;
  return K < detail::packed_from ? 0 : long((K + panel - 1) / panel) * panel * N;
}
template <int N, int K, class T>
void pack_transposed(cpu, const T* w, T* packed) {
  constexpr int panel = simd::right_matrix<T>::panel_width;
  for (int first = 0; first < K; first += panel) {
    const int width = K - first < panel ? K - first : panel;
    for (int n = 0; n < N; ++n, packed += panel)
      std::copy_n(w + std::ptrdiff_t(n) * K + first, width, packed);
  }
}
// The same as matmul_transposed, with packed w.
template <int N, int K, class T>
void contract_packed_transposed(cpu, int rows, const T* g, std::ptrdiff_t g_stride, const T* packed, T* dx,
                                std::ptrdiff_t dx_stride, bool add = false) {
  constexpr int panel = simd::right_matrix<T>::panel_width;
  simd::product<T>(rows, K, N, {g, g_stride, 1}, {packed, panel, std::ptrdiff_t(panel) * N},
                   {dx, dx_stride, add});
}

namespace detail {
// What is packed of g at a time is half a second cache: columns by rows.
inline constexpr int outer_columns = 512 / simd::tallest_tile * simd::tallest_tile;
template <int N>
inline constexpr int outer_rows = N < 1024 ? 128 : simd::deepest_tile;
// From one packed tile of g to the next: some lines more than a tile, or all tiles would compete for the same cache sets.
template <int N>
inline constexpr int outer_tile = simd::tallest_tile* outer_rows<N> + 32;
}  // namespace detail
// The size of the packed parts of g and x that gradient_outer needs if their rows are far apart. 0: none.
template <int N, int K>
constexpr long outer_scratch_size(cpu) {
  if (N < detail::outer_packed_from || K < 128) return 0;
  constexpr int columns = N < detail::outer_columns ? N : detail::outer_columns;
  constexpr int tiles = (columns + simd::tallest_tile - 1) / simd::tallest_tile;
  return long(tiles) * detail::outer_tile<N> + simd::right_matrix<float>::panel_width * detail::outer_rows<N>;
}
namespace detail {
// `height` rows of dw, the first of which are for the first columns of g.
template <int K, class T>
void gradient_outer_rows(int height, int rows, const T* g, std::ptrdiff_t g_stride, const T* x,
                         std::ptrdiff_t x_stride, T* dw) {
  constexpr int together = outer_rows<1>;
  for (int r = 0; r < rows; r += together) {
    const int depth = rows - r < together ? rows - r : together;
    simd::product<T>(height, K, depth, {g + r * g_stride, 1, g_stride},
                     {x + r * x_stride, x_stride, simd::right_matrix<T>::panel_width}, {dw, K, true});
  }
}
// The same with packed parts of g, [n / tile][r][n % tile], and of x, [r][k]. N: of all columns of g.
template <int N, int K, class T>
void gradient_outer_rows(int height, int rows, const T* g, std::ptrdiff_t g_stride, const T* x,
                         std::ptrdiff_t x_stride, T* dw, T* scratch) {
  constexpr int tall = simd::tallest_tile, panel = simd::right_matrix<T>::panel_width;
  constexpr int together = outer_rows<N>, tile = outer_tile<N>;
  T *const left = scratch + panel * together, *const right = scratch;
  for (int r = 0; r < rows; r += together) {
    const int depth = rows - r < together ? rows - r : together;
    for (int n = 0; n < height; n += outer_columns) {
      const int some = height - n < outer_columns ? height - n : outer_columns;
      for (int p = 0; p < depth; ++p) {
        const T* const from = g + (r + p) * g_stride + n;
        T* to = left + p * tall;
        int m = 0;
        for (; m + tall <= some; m += tall, to += tile) std::copy_n(from + m, tall, to);
        std::copy_n(from + m, some - m, to);
      }
      for (int k = 0; k < K; k += panel) {
        const int width = K - k < panel ? K - k : panel;
        for (int p = 0; p < depth; ++p) {
          const T* const from = x + (r + p) * x_stride + k;
          if (width == panel) std::copy_n(from, panel, right + p * panel);
          else std::copy_n(from, width, right + p * panel);
        }
        simd::product<T>(some, width, depth, {left, 1, tall, tile}, {right, panel, 0},
                         {dw + std::ptrdiff_t(n) * K + k, K, true});
      }
    }
  }
}
}  // namespace detail
// dw[n, k] += sum_r g[r, n] x[r, k], some rows at a time, so that they stay in the cache
template <int N, int K, class T>
void gradient_outer(cpu, int rows, const T* g, std::ptrdiff_t g_stride, const T* x, std::ptrdiff_t x_stride,
                    T* dw) {
  detail::gradient_outer_rows<K>(N, rows, g, g_stride, x, x_stride, dw);
}
// The same with memory for packed parts of g and of x: scratch has outer_scratch_size<N, K> elements.
template <int N, int K, class T>
void gradient_outer(cpu, int rows, const T* g, std::ptrdiff_t g_stride, const T* x, std::ptrdiff_t x_stride,
                    T* dw, T* scratch) {
  detail::gradient_outer_rows<N, K>(N, rows, g, g_stride, x, x_stride, dw, scratch);
}
namespace detail {
// sum[v] += sum_r g[r, v] for `Vectors` vectors at once; `last` selects the lanes of the last one. With few sums, each
// addition would wait for the one before, so every second (fourth, ..) row has separate sums.
template <int Vectors, class T, class Lanes>
TENON_ALWAYS_INLINE inline void sum_columns(int rows, const T* g, std::ptrdiff_t stride, T* sum, Lanes last) {
  using V = simd::vector<T>;
  constexpr int apart = Vectors >= 8 ? 1 : Vectors >= 4 ? 2 : Vectors >= 2 ? 4 : 8;
  const auto loaded = [&](int v, const T* from) TENON_ALWAYS_INLINE {
    return v + 1 == Vectors ? last.load(from + v * V::size) : V::load(from + v * V::size);
  };
  V sums[apart][Vectors];
  repeat<Vectors>([&](int v) TENON_ALWAYS_INLINE {
    sums[0][v] = loaded(v, sum);
    repeat<apart - 1>([&](int k) TENON_ALWAYS_INLINE { sums[k + 1][v] = V(0); });
  });
  const auto add = [&](int k, int r) TENON_ALWAYS_INLINE {
    repeat<Vectors>([&](int v) TENON_ALWAYS_INLINE { sums[k][v] = sums[k][v] + loaded(v, g + r * stride); });
  };
  int r = 0;
  for (; r + apart <= rows; r += apart) repeat<apart>([&](int k) TENON_ALWAYS_INLINE { add(k, r + k); });
  for (; r < rows; ++r) add(0, r);
  repeat<Vectors>([&](int v) TENON_ALWAYS_INLINE {
    V total = sums[0][v];
    repeat<apart - 1>([&](int k) TENON_ALWAYS_INLINE { total = total + sums[k + 1][v]; });
    if (v + 1 == Vectors) last.store(sum + v * V::size, total);
    else total.store(sum + v * V::size);
  });
}
}  // namespace detail
// db[n] += sum_r g[r, n]
template <int N, class T>
void gradient_sum(cpu, int rows, const T* g, std::ptrdiff_t g_stride, T* db) {
  using V = simd::vector<T>;
  constexpr int size = V::size, together = 8, block = together * size, full = N / block * block;
  constexpr int rest = (N - full + size - 1) / size, in_last = N - full - (rest - 1) * size;
  for (int n = 0; n < full; n += block)
    detail::sum_columns<together>(rows, g + n, g_stride, db + n, simd::whole<V>{});
  if constexpr (rest > 0 && in_last == size)
    detail::sum_columns<rest>(rows, g + full, g_stride, db + full, simd::whole<V>{});
  else if constexpr (rest > 0)
    detail::sum_columns<rest>(rows, g + full, g_stride, db + full, simd::part<V>(in_last));
}
// out[r, n] = sum_t in[t, r, n]
template <int N, class T>
void axis_sum(cpu, int steps, int rows, const T* in, std::ptrdiff_t in_row, std::ptrdiff_t in_step, T* out,
              std::ptrdiff_t out_row) {
  for (int r = 0; r < rows; ++r) {
    detail::clear_row<N>(out + r * out_row);
    detail::sum_rows<N>(steps, in + r * in_row, in_step, out + r * out_row,
                        [](int) { return simd::vector<T>(1); });
  }
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
