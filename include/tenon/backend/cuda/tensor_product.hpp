// A product of many rows and columns, on tensor cores.
#pragma once

#include "tenon/backend/cuda/several.hpp"
#include "tenon/backend/cuda/tensor_tile.hpp"
#include "tenon/backend/cuda/tile.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

using large_tensor_tile = tensor_tile<128, 64, 64, 32, 3>;
using wide_tensor_tile = tensor_tile<64, 64, 32, 32, 4>;
using low_tensor_tile = tensor_tile<64, 32, 16, 32, 4>;

// out[m, n] = sum_k left[m, k] right[k, n], as in tiled_product, for sides that can be read four numbers at a time.
template <class Tile, bool TransposedLeft>
struct tensor_product {
  static constexpr int threads = Tile::threads, stages = Tile::stages;
  using left_side = tensor_side<Tile::rows, !TransposedLeft>;
  using right_side = tensor_side<Tile::columns, false>;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<float, stages * left_side::size> left;
    Array<float, stages * right_side::size> right;
  };

  int rows, columns, depth, terms;  // of all parts, and of a part
  const float *left, *right;
  float* out;
  std::ptrdiff_t left_row, right_row, out_row, part_size;
  bool adds;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    constexpr int lefts = Tile::warp_rows / 8, rights = Tile::warp_columns / 8;
    const std::ptrdiff_t first_row = std::ptrdiff_t(thread.block.x) * Tile::rows;
    const int first_column = thread.block.y * Tile::columns;
    const int begin = thread.block.z * terms, end = begin + terms < depth ? begin + terms : depth;
    const int row = Tile::first_row(thread.index), column = Tile::first_column(thread.index);
    const auto fetch = [&](int k, int stage) {
      if (k < end) {
        fetch_side<left_side, !TransposedLeft>(thread, thread.shared.left, stage, left, left_row, first_row,
                                               rows, k, end);
        fetch_side<right_side, false>(thread, thread.shared.right, stage, right, right_row, first_column,
                                      columns, k, end);
      }
      thread.close_fetches();
    };
    TENON_UNROLL for (int stage = 0; stage + 1 < stages; ++stage) fetch(begin + stage * tensor_terms, stage);
    float sums[lefts / 2][rights][4]{};
    int stage = 0;
    for (int k = begin; k < end; k += tensor_terms) {
      thread.template wait_for_fetches<stages - 2>();
      thread
          .synchronise();  // each thread sees what all have fetched, and no one reads the tile before this one any more
      fetch(k + (stages - 1) * tensor_terms, stage == 0 ? stages - 1 : stage - 1);
      float a[lefts][4], b[rights][4];
      left_side::template read<lefts>(thread, thread.shared.left, stage * left_side::size, row, a);
      right_side::template read<rights>(thread, thread.shared.right, stage * right_side::size, column, b);
      multiply_add<lefts / 2, rights>(thread, tensor_factors<lefts>(a), tensor_factors<rights>(b), sums);
      stage = stage + 1 < stages ? stage + 1 : 0;
    }
    const int lane = thread.index % warp_size;
    float* const part = out + thread.block.z * part_size;
    TENON_UNROLL for (int i = 0; i < lefts; ++i) {
      const std::ptrdiff_t r = first_row + row + left_side::line(i, lane / 4);
      TENON_UNROLL for (int j = 0; j < rights; j += 4) {
        TENON_UNROLL for (int n = 0; n < 2; ++n) {
          const int c = first_column + column + right_side::line(j, lane % 4 * 2 + n);
          several<float, 4> four;
          TENON_UNROLL for (int q = 0; q < 4; ++q) four.numbers[q] = sums[i / 2][j + q][i % 2 * 2 + n];
          if (r < rows) store(part + r * out_row + c, columns - c, four);
        }
      }
    }
  }

 private:
  // first, size: the first line of the tile, and all lines.
  template <class Side, bool AlongTerms, class Thread, class Array>
  TENON_KERNEL static void fetch_side(Thread& thread, Array& tiles, int stage, const float* from,
                                      std::ptrdiff_t from_row, std::ptrdiff_t first, int size, int k,
                                      int end) {
    static_assert(Side::fours % threads == 0);
    TENON_UNROLL for (int n = 0; n < Side::fours / threads; ++n) {
      const auto four = Side::four_at(n * threads + thread.index);
      const std::ptrdiff_t lines = size - first - four.line, terms = end - k - four.term;
      const bool is_there = lines > 0 && terms > 0;
      const std::ptrdiff_t place = AlongTerms ? (first + four.line) * from_row + k + four.term
                                              : (k + four.term) * from_row + first + four.line;
      const std::ptrdiff_t count = AlongTerms ? terms : lines;
      thread.fetch_four(tiles, stage * Side::size + four.place, is_there ? from + place : from,
                        is_there ? int(count < 4 ? count : 4) : 0);
    }
  }
  // The first `count` of four neighbouring numbers.
  TENON_KERNEL void store(float* to, int count, several<float, 4>& four) const {
    if (count >= 4 && out_row % 4 == 0) {
      auto& there = *reinterpret_cast<several<float, 4>*>(to);
      if (adds) {
        const several<float, 4> old = there;
        TENON_UNROLL for (int q = 0; q < 4; ++q) four.numbers[q] += old.numbers[q];
      }
      there = four;
    } else {
      TENON_UNROLL for (int q = 0; q < 4; ++q) {
        if (q < count) to[q] = adds ? to[q] + four.numbers[q] : four.numbers[q];
      }
    }
  }
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
