// Products of windows with a learned matrix w [N, K * D], K neighbours of D features: neighbours are read in place, and the
// windows are never assembled. Missing neighbours are left out. The gradient by the places is the same loop: each place sums over the
// windows that have it as a neighbour.
#pragma once

#include "tenon/backend/cpu/product.hpp"
#include "tenon/backend/cpu/window_runs.hpp"

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

// The largest number of neighbours of a window.
constexpr int most_multiplied_neighbours(cpu) { return 64; }

namespace detail {

// Rows of a run at equal distances, both in what is read and in the result.
struct row_loop {
  int count;
  std::ptrdiff_t from, to;
};
// Calls f(rows, from, to) for the rows of a vertical and a horizontal run and of the batch: as many at once as are equally far apart.
template <class F>
void for_equal_distances(row_loop lines, row_loop columns, row_loop rows, F f) {
  row_loop loops[3]{lines, columns, rows};
  int size = 3;
  for (int k = size - 2; k >= 0; --k) {
    const row_loop outer = loops[k], inner = loops[k + 1];
    const bool joins = outer.from == inner.from * inner.count && outer.to == inner.to * inner.count;
    if (outer.count > 1 && inner.count > 1 && !joins) continue;
    loops[k] = inner.count == 1 ? outer : inner;
    if (outer.count > 1 && inner.count > 1) loops[k].count *= outer.count;
    for (int n = k + 1; n + 1 < size; ++n) loops[n] = loops[n + 1];
    --size;
  }
  while (size < 3) {
    for (int n = size; n > 0; --n) loops[n] = loops[n - 1];
    loops[0] = {1, 0, 0};
    ++size;
  }
  for (int i = 0; i < loops[0].count; ++i)
    for (int j = 0; j < loops[1].count; ++j)
      f(loops[2], i * loops[0].from + j * loops[1].from, i * loops[0].to + j * loops[1].to);
}

// What is the same for all runs: the operand, its lines and the result's lines, the rows of the batch.
template <class T>
struct window_operands {
  operand<const T> from;
  operand<T> to;
  int from_line, to_line;  // places in a line
  int rows;                // of the batch
  int neighbours;          // of a window in a line

  template <class F>
  void each(const ir::window_run& v, const ir::window_run& h, F f) const {
    const std::ptrdiff_t from_start = (std::ptrdiff_t(v.source) * from_line + h.source) * from.step,
                         to_start = (std::ptrdiff_t(v.first) * to_line + h.first) * to.step;
    for_equal_distances({v.count, std::ptrdiff_t(v.source_distance) * from_line * from.step,
                         std::ptrdiff_t(v.distance) * to_line * to.step},
                        {h.count, h.source_distance * from.step, h.distance * to.step},
                        {rows, from.row, to.row},
                        [&](const row_loop& all, std::ptrdiff_t from_more, std::ptrdiff_t to_more) {
                          f(all, from.data + from_start + from_more, to.data + to_start + to_more);
                        });
  }
  std::ptrdiff_t source_of(const ir::window_run& v, const ir::window_run& h, int i, int j) const {
    return (std::ptrdiff_t(i) * v.tap_source * from_line + std::ptrdiff_t(j) * h.tap_source) * from.step;
  }
  int neighbour(const ir::window_run& v, const ir::window_run& h, int i, int j) const {
    return (v.tap + i * v.tap_distance) * neighbours + h.tap + j * h.tap_distance;
  }
};

// to[result, 0 .. width) (+)= sum over the neighbours k of the run and over p < depth of from[its place, p] B[k * depth + p, ..]
template <class T>
[[gnu::noinline]] void multiply_windows(const window_operands<T>& o, const ir::window_run& v,
                                        const ir::window_run& h, int depth, int width,
                                        simd::right_matrix<T> b, bool add = false) {
  constexpr int most = 256;
  simd::part_of_depth parts[most];
  int size = 0;
  // Adjacent neighbours are one part; a neighbour too deep for the first cache is several parts.
  const bool side_by_side = h.taps > 1 && h.tap_distance == 1 && h.tap_source * o.from.step == depth &&
                            h.taps * depth <= simd::deepest_tile;
  int pieces = (depth + simd::deepest_tile - 1) / simd::deepest_tile;
  while (depth % pieces > 0) ++pieces;
  if (v.taps * h.taps * pieces > most) pieces = 1;
  const int deep = side_by_side ? h.taps * depth : depth / pieces;
  for (int i = 0; i < v.taps; ++i)
    for (int j = 0; j < (side_by_side ? 1 : h.taps); ++j)
      for (int p = 0; p < pieces; ++p)
        parts[size++] = {o.source_of(v, h, i, j) + p * deep,
                         std::ptrdiff_t(o.neighbour(v, h, i, j)) * depth + p * deep};
  o.each(v, h, [&](const row_loop& rows, const T* from, T* to) {
    if (size == 0)
      for (int r = 0; r < rows.count && !add; ++r) std::fill_n(to + r * rows.to, width, T(0));
    else
      simd::product<T, simd::left_parts<T>>(rows.count, width, size, {from, rows.from, parts, deep}, b,
                                            {to, rows.to, add});
  });
}

// dw[n, k * D + j] += sum over the windows of the run of g[window, n] x[its neighbour k, j], several windows at a time. If places
// are narrow, they are the left side of the product, whose width is then that of g.
template <class T>
[[gnu::noinline]] void multiply_windows_outer(const window_operands<const T>& o, const ir::window_run& v,
                                              const ir::window_run& h, int D, int N, int columns, T* dw,
                                              T* transposed) {
  constexpr int together = 128, panel = simd::right_matrix<T>::panel_width;
  o.each(v, h, [&](const row_loop& all, const T* x, const T* g) {
    for (int r = 0; r < all.count; r += together) {
      const int depth = std::min(together, all.count - r);
      const T *const x_here = x + r * all.from, *const g_here = g + r * all.to;
      for (int i = 0; i < v.taps; ++i) {
        if (transposed == nullptr) {
          for (int j = 0; j < h.taps; ++j)
            simd::product<T>(N, D, depth, {g_here, 1, all.to},
                             {x_here + o.source_of(v, h, i, j), all.from, panel},
                             {dw + std::ptrdiff_t(o.neighbour(v, h, i, j)) * D, columns, true});
        } else {
          const T* rows[most_multiplied_neighbours(cpu{}) * simd::vector<float>::size];
          int size = 0;
          for (int j = 0; j < h.taps; ++j)
            for (int d = 0; d < D; ++d) rows[size++] = x_here + o.source_of(v, h, i, j) + d;
          if (size > 0)
            simd::product<T, simd::left_rows<T>>(
                size, N, depth, {rows, all.from}, {g_here, all.to, panel},
                {transposed + std::ptrdiff_t(o.neighbour(v, h, i, 0)) * D * N, N, true});
        }
      }
    }
  });
}

template <int D>
constexpr bool is_narrow = D < simd::vector<float>::size;

}  // namespace detail

// y[window, r, n] = sum_k sum_j x[place of the window's neighbour k, r, j] w[n, k * D + j] for `count` windows from window
// `first` on, whole lines of a grid; w as packed by pack<N, K * D>
template <int N, int D, class T>
void contract_windows(cpu, const ir::windows& w, const ir::extents& over, int first, int count, int rows,
                      const operand<const T>& x, const T* packed, const operand<T>& y) {
  constexpr int panel = simd::right_matrix<T>::panel_width, padded = detail::padded_to_vectors<N, T>;
  constexpr int full = padded / panel * panel, rest = padded - full;  // the last panel may be half as wide
  const ir::extents made = ir::count_windows(w, over);
  const bool is_line = made.height == 1;
  const int line = is_line ? 0 : first / made.width, lines = is_line ? 1 : count / made.width;
  const int column = is_line ? first : 0, columns = is_line ? count : made.width;
  const int K = w.size() * D;
  detail::window_operands<T> o{x, y, over.width, made.width, rows, w.horizontal.size};
  ir::for_runs_of_windows(w.vertical, over.height, line, line + lines, [&](const ir::window_run& v) {
    ir::for_runs_of_windows(w.horizontal, over.width, column, column + columns, [&](const ir::window_run& h) {
      o.to = y;
      if constexpr (full > 0)
        detail::multiply_windows<T>(o, v, h, D, N < full ? N : full, {packed, panel, panel * K, true});
      o.to.data += full;
      if constexpr (rest > 0)
        detail::multiply_windows<T>(o, v, h, D, N - full, {packed + std::ptrdiff_t(full) * K, rest, 0, true});
    });
  });
}

// The size of w as contract_windows_transposed reads it, in panels [j / P][k][n][j % P], where P is the width of a panel.
template <int N, int K, int D>
constexpr long packed_windows_size(cpu) {
  constexpr int panel = simd::right_matrix<float>::panel_width;
  return long((D + panel - 1) / panel) * panel * N * K;
}
template <int N, int K, int D, class T>
void pack_windows(cpu, const T* w, T* packed) {
  constexpr int panel = simd::right_matrix<T>::panel_width;
  for (int first = 0; first < D; first += panel) {
    const int width = D - first < panel ? D - first : panel;
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n, packed += panel)
        std::copy_n(w + (std::ptrdiff_t(n) * K + k) * D + first, width, packed);
  }
}
// dx[place, r, j] (+)= the sum over all windows of which the place is neighbour k of sum_n g[window, r, n] w[n, k * D + j]
template <int N, int D, class T>
void contract_windows_transposed(cpu, const ir::windows& w, const ir::extents& over, int rows,
                                 const operand<const T>& g, const T* packed, const operand<T>& dx,
                                 bool add = false) {
  constexpr int panel = simd::right_matrix<T>::panel_width;
  const detail::window_operands<T> o{g,          dx,   ir::count_windows(w, over).width,
                                     over.width, rows, w.horizontal.size};
  ir::for_runs_of_places(w.vertical, over.height, [&](const ir::window_run& v) {
    ir::for_runs_of_places(w.horizontal, over.width, [&](const ir::window_run& h) {
      detail::multiply_windows<T>(o, v, h, N, D, {packed, panel, std::ptrdiff_t(panel) * N * w.size()}, add);
    });
  });
}

// The size of the scratch memory for gradient_outer_windows.
template <int N, int K, int D>
constexpr long outer_windows_scratch_size(cpu) {
  return detail::is_narrow<D> ? long(N) * K * D : 0;
}
// dw[n, k * D + j] += sum over windows and rows of g[window, r, n] x[place of the window's neighbour k, r, j]
template <int N, int K, int D, class T>
void gradient_outer_windows(cpu, const ir::windows& w, const ir::extents& over, int rows,
                            const operand<const T>& g, const operand<const T>& x, T* dw, T* scratch) {
  const ir::extents made = ir::count_windows(w, over);
  T* const transposed = detail::is_narrow<D> ? scratch : nullptr;
  if constexpr (detail::is_narrow<D>) std::fill_n(transposed, N * K * D, T(0));
  const detail::window_operands<const T> o{x, g, over.width, made.width, rows, w.horizontal.size};
  ir::for_runs_of_windows(w.vertical, over.height, 0, made.height, [&](const ir::window_run& v) {
    ir::for_runs_of_windows(w.horizontal, over.width, 0, made.width, [&](const ir::window_run& h) {
      detail::multiply_windows_outer<T>(o, v, h, D, N, K * D, dw, transposed);
    });
  });
  if constexpr (detail::is_narrow<D>)
    for (int n = 0; n < N; ++n)
      for (int k = 0; k < K * D; ++k) dw[std::ptrdiff_t(n) * K * D + k] += transposed[k * N + n];
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
