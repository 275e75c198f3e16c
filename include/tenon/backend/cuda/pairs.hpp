// Dot products and weighted sums between a block of steps and all steps of another sequence, as products in tiles of shared memory; one
// launch does all rows and groups. The steps of the block are side by side (lowering/lanes.hpp): group g and step t is number
// g * Lanes + t of a row. See cpu/pairs.hpp for the formulas. Each sum has one fixed order: equal runs give equal bits.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/operand.hpp"

#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

// How many steps are processed at once: all of them, or blocks of equal length if there would be more than 2^20 pairs in all rows. A buffer
// of a block has a number for each pair and group: at most 4 MiB for each group in float.
inline constexpr long most_pairs_of_block = 1L << 20;
constexpr int lanes_of_pairs(cuda, long pairs_of_step, long steps) {
  constexpr long whole = 8, least = 32;  // steps of 32 bytes
  const long fitting = most_pairs_of_block / pairs_of_step;
  const long blocks = fitting < least ? (steps + least - 1) / least : (steps + fitting - 1) / fitting;
  const long lanes = (steps + blocks - 1) / blocks;
  return static_cast<int>((lanes + whole - 1) / whole * whole);
}

namespace cuda_detail {

// A block computes Rows x Columns numbers of a product, Depth terms of their sums at a time; a thread computes ThreadRows x ThreadColumns.
template <int Rows, int Columns, int Depth, int ThreadRows, int ThreadColumns>
struct pair_tile {
  static_assert(Rows % ThreadRows == 0 && Columns % ThreadColumns == 0);
  static constexpr int rows = Rows, columns = Columns, depth = Depth;
  static constexpr int thread_rows = ThreadRows, thread_columns = ThreadColumns;
  static constexpr int threads_along = Columns / ThreadColumns;
  static constexpr int threads = Rows / ThreadRows * threads_along;
  static constexpr int left_stride = Rows + 4, right_stride = Columns + 4;  // + 4 against bank conflicts
};
using wide_pair_tile = pair_tile<64, 64, 16, 8, 4>;    // few reads of shared memory for each product
using square_pair_tile = pair_tile<32, 32, 32, 4, 2>;  // more blocks
using narrow_pair_tile = pair_tile<64, 16, 32, 4, 4>;  // groups of a few features
// Two blocks on each multiprocessor of a large card.
inline constexpr long enough_wide_pair_tiles = 264;

// The place in a tile of the e-th number that the threads fetch side by side. If memory runs along the sum, a warp fetches 8 numbers of
// each of 4 rows: whole sectors, and each number goes to a different bank.
struct pair_place {
  int across, along;
};
constexpr bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }
template <int Across, int Depth, bool AlongDepth>
TENON_HOST_DEVICE constexpr pair_place place_in_pair_tile(int e) {
  static_assert(is_power_of_two(Across) && is_power_of_two(Depth) && Across >= 4 && Depth >= 8);
  if (!AlongDepth) return {e % Across, e / Across};
  const int pieces = Depth / 8, piece = e / 32;
  return {piece / pieces * 4 + e / 8 % 4, piece % pieces * 8 + e % 8};
}

// One side, or the result: the strides of its rows, of its groups, and of its lines of adjacent numbers.
template <class T>
struct pair_matrix {
  T* data;
  std::ptrdiff_t row, group, line;
  TENON_HOST_DEVICE T* of(int r, int g) const { return data + r * row + g * group; }
};

// out[m, n] = sum_k left[m, k] right[n, k] in each row and group, and 0 past the ends of m and n. Adds: the sums are added to out, and
// nothing is written past the ends. LeftAlong, RightAlong: the terms of one sum are adjacent in memory; otherwise terms of neighbouring
// sums are.
template <class T, class Tile, bool LeftAlong, bool RightAlong, bool Adds>
struct pair_product {
  static constexpr int threads = Tile::threads;
  static_assert(is_power_of_two(threads));
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, Tile::depth * Tile::left_stride> left;
    Array<T, Tile::depth * Tile::right_stride> right;
  };

  int groups, row_count, column_count;  // of the result
  steps_of_rows rows, columns, terms;   // how many of them each row has
  pair_matrix<const T> left, right;
  pair_matrix<T> out;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const int r = thread.block.x / groups, g = thread.block.x % groups;
    const int first_row = thread.block.y * Tile::rows, first_column = thread.block.z * Tile::columns;
    const int end_row = rows.in(r), end_column = columns.in(r);
    const bool is_behind = first_row >= end_row || first_column >= end_column;
    const int end = is_behind ? 0 : terms.in(r);
    const int row = thread.index / Tile::threads_along * Tile::thread_rows;
    const int column = thread.index % Tile::threads_along * Tile::thread_columns;
    const T *const a_of_row = left.of(r, g), *const b_of_row = right.of(r, g);
    T sums[Tile::thread_rows][Tile::thread_columns]{};
    for (int k = 0; k < end; k += Tile::depth) {
      fetch<Tile::rows, Tile::left_stride, LeftAlong>(thread.index, a_of_row, left.line, first_row, end_row,
                                                      k, end, thread.shared.left);
      fetch<Tile::columns, Tile::right_stride, RightAlong>(thread.index, b_of_row, right.line, first_column,
                                                           end_column, k, end, thread.shared.right);
      thread.synchronise();
      TENON_UNROLL for (int d = 0; d < Tile::depth; ++d) {
        T a[Tile::thread_rows], b[Tile::thread_columns];
        TENON_UNROLL for (int i = 0; i < Tile::thread_rows; ++i) {
          a[i] = thread.shared.left[d * Tile::left_stride + row + i];
        }
        TENON_UNROLL for (int j = 0; j < Tile::thread_columns; ++j) {
          b[j] = thread.shared.right[d * Tile::right_stride + column + j];
        }
        TENON_UNROLL for (int i = 0; i < Tile::thread_rows; ++i) {
          TENON_UNROLL for (int j = 0; j < Tile::thread_columns; ++j) sums[i][j] += a[i] * b[j];
        }
      }
      thread.synchronise();
    }
    T* const y = out.of(r, g) + (first_row + row) * out.line + first_column + column;
    const int most_row = (Adds ? end_row : row_count) - first_row - row;
    const int most_column = (Adds ? end_column : column_count) - first_column - column;
    if constexpr (Adds) {
      TENON_UNROLL for (int i = 0; i < Tile::thread_rows; ++i) {
        TENON_UNROLL for (int j = 0; j < Tile::thread_columns; ++j) {
          if (i < most_row && j < most_column) sums[i][j] += y[i * out.line + j];
        }
      }
    }
    TENON_UNROLL for (int i = 0; i < Tile::thread_rows; ++i) {
      TENON_UNROLL for (int j = 0; j < Tile::thread_columns; ++j) {
        if (i < most_row && j < most_column) y[i * out.line + j] = sums[i][j];
      }
    }
  }

 private:
  // Fetches a tile of one side, with zeros where the tile is larger than the side. A thread's places are its first one plus fixed steps.
  template <int Across, int Stride, bool Along, class Array>
  TENON_KERNEL static void fetch(int thread, const T* side, std::ptrdiff_t line, int first, int end_across,
                                 int k, int end, Array& to) {
    const pair_place mine = place_in_pair_tile<Across, Tile::depth, Along>(thread);
    const int across = first + mine.across, along = k + mine.along;
    const T* const from = side + (Along ? across * line + along : along * line + across);
    TENON_UNROLL for (int n = 0; n < Across * Tile::depth / threads; ++n) {
      const pair_place step = place_in_pair_tile<Across, Tile::depth, Along>(n * threads);
      T x = 0;
      if (across + step.across < end_across && along + step.along < end)
        x = from[Along ? step.across * line + step.along : step.along * line + step.across];
      to[(mine.along + step.along) * Stride + mine.across + step.across] = x;
    }
  }
};

template <class T, bool LeftAlong, bool RightAlong, bool Adds = false>
using any_pair_product = pair_product<T, wide_pair_tile, LeftAlong, RightAlong, Adds>;
template <class Tile, class T, bool LeftAlong, bool RightAlong, bool Adds>
void multiply_pairs_in(const any_pair_product<T, LeftAlong, RightAlong, Adds>& p, int rows,
                       const char* kernel_name) {
  launch(pair_product<T, Tile, LeftAlong, RightAlong, Adds>{p.groups, p.row_count, p.column_count, p.rows,
                                                            p.columns, p.terms, p.left, p.right, p.out},
         {rows * p.groups, blocks_for(p.row_count, Tile::rows), blocks_for(p.column_count, Tile::columns)},
         kernel_name);
}
// The product in tiles that suit its size. Columns: its largest number of columns.
template <int Columns, class T, bool LeftAlong, bool RightAlong, bool Adds>
void multiply_pairs(const any_pair_product<T, LeftAlong, RightAlong, Adds>& p, int rows,
                    const char* kernel_name = __builtin_FUNCTION()) {
  if constexpr (Columns <= narrow_pair_tile::columns) {
    multiply_pairs_in<narrow_pair_tile>(p, rows, kernel_name);
  } else {
    const long tiles = long(rows) * p.groups * blocks_for(p.row_count, wide_pair_tile::rows) *
                       blocks_for(p.column_count, wide_pair_tile::columns);
    if (Columns > square_pair_tile::columns && tiles >= enough_wide_pair_tiles)
      multiply_pairs_in<wide_pair_tile>(p, rows, kernel_name);
    else multiply_pairs_in<square_pair_tile>(p, rows, kernel_name);
  }
}

// One thread for each lane.
template <int N, int Groups, int Lanes, class T>
struct lane_of_step {
  paired_steps of;
  operand<const T> x;
  operand<T> out;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, lane] = thrust_detail::row_of(index, Groups * Lanes);
    const int g = lane / Lanes, t = lane % Lanes;
    const bool is_there = t < of.block.in(static_cast<int>(r));
    out.data[r * out.row + lane] = is_there ? x.data[r * x.row + t * x.step + (N == 1 ? 0 : g)] : T(0);
  }
};

}  // namespace cuda_detail

template <int N, int Groups, int Lanes, class T>
void to_lanes(cuda, const paired_steps& of, const operand<const T>& x, const operand<T>& out) {
  static_assert(N == 1 || N == Groups);
  thrust_detail::for_each_index(std::ptrdiff_t(of.rows) * Groups * Lanes,
                                cuda_detail::lane_of_step<N, Groups, Lanes, T>{of, x, out});
}
template <int Groups, int Features, int Lanes, class T>
void pair_dots(cuda, const paired_steps& of, const operand<const T>& a, const operand<const T>& b,
               const operand<T>& out) {
  const cuda_detail::any_pair_product<T, true, true> product{.groups = Groups,
                                                             .row_count = of.inner.count,
                                                             .column_count = Lanes,
                                                             .rows = of.inner,
                                                             .columns = of.block,
                                                             .terms = {0, Features, nullptr},
                                                             .left = {b.data, b.row, Features, b.step},
                                                             .right = {a.data, a.row, Features, a.step},
                                                             .out = {out.data, out.row, Lanes, out.step}};
  cuda_detail::multiply_pairs<Lanes>(product, of.rows);
}
// Steps of the block past a row's end get zeros.
template <int Groups, int Features, int Lanes, class T>
void pair_sums(cuda, const paired_steps& of, const operand<const T>& w, const operand<const T>& v,
               const operand<T>& out) {
  const cuda_detail::any_pair_product<T, false, false> product{
      .groups = Groups,
      .row_count = of.block.count,
      .column_count = Features,
      .rows = of.block,
      .columns = {0, Features, nullptr},
      .terms = of.inner,
      .left = {w.data, w.row, Lanes, w.step},
      .right = {v.data, v.row, Features, v.step},
      .out = {out.data, out.row, Features, out.step}};
  cuda_detail::multiply_pairs<Features>(product, of.rows);
}
template <int Groups, int Features, int Lanes, class T>
void pair_sums_over_time(cuda, const paired_steps& of, const operand<const T>& w, const operand<const T>& v,
                         const operand<T>& out) {
  const cuda_detail::any_pair_product<T, true, false, true> product{
      .groups = Groups,
      .row_count = of.inner.count,
      .column_count = Features,
      .rows = of.inner,
      .columns = {0, Features, nullptr},
      .terms = of.block,
      .left = {w.data, w.row, Lanes, w.step},
      .right = {v.data, v.row, Features, v.step},
      .out = {out.data, out.row, Features, out.step}};
  cuda_detail::multiply_pairs<Features>(product, of.rows);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
