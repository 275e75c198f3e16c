// A product of few rows or few columns: the threads of a block share the terms of its sums, and read both sides directly from memory.
#pragma once

#include "tenon/backend/cuda/several.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// out[m, n] = sum_k left[m, k] right[k, n], as in tiled_product, for sides that can be read four numbers at a time. A lane has four columns
// and `Rows` rows; the four lanes with the same columns, and the warps, each sum different terms, four at a time.
template <class T, int Rows, class Right = T>
struct split_product {
  static constexpr int threads = 256, warps = threads / warp_size;
  static constexpr int rows_together = Rows, columns_together = 32, terms_together = 16 * warps;
  using sums_of_warp = sums_of_lanes<Rows, 4>;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, warps * Rows * columns_together> sums;
  };

  int rows, columns, depth;
  const T* left;
  const Right* right;
  T* out;
  std::ptrdiff_t left_row, right_row, out_row;
  bool adds;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t first_row = std::ptrdiff_t(thread.block.x) * Rows;
    const int first_column = thread.block.y * columns_together;
    const int lane = thread.index % warp_size, warp = thread.index / warp_size, own = lane % 8 * 4;
    T sums[Rows][4]{};
    if (first_column + own < columns)
      add_terms(first_row, first_column + own, (warp * 4 + lane / 8) * 4, sums);
    sums_of_warp::add(thread, sums);
    TENON_UNROLL for (int i = 0; i < sums_of_warp::rows; ++i) {
      TENON_UNROLL for (int c = 0; c < 4; ++c) {
        const int row = sums_of_warp::first_row(lane) + i;
        if (sums_of_warp::keeps(lane)) thread.shared.sums[place(warp, row, own + c)] = sums[i][c];
      }
    }
    thread.synchronise();
    const int row = thread.index / columns_together, column = thread.index % columns_together;
    if (row >= Rows || first_row + row >= rows || first_column + column >= columns) return;
    T sum = 0;
    for (int w = 0; w < warps; ++w) sum += thread.shared.sums[place(w, row, column)];
    T& y = out[(first_row + row) * out_row + first_column + column];
    y = adds ? y + sum : sum;
  }

 private:
  TENON_HOST_DEVICE static constexpr int place(int warp, int row, int column) {
    return (warp * Rows + row) * columns_together + column;
  }
  // Adds the terms of a thread. A missing row reads the last row again; its sums are not used.
  TENON_KERNEL void add_terms(std::ptrdiff_t first_row, int column, int first_term,
                              T (&sums)[Rows][4]) const {
    const T* from[Rows];
    TENON_UNROLL for (int i = 0; i < Rows; ++i) {
      from[i] = left + (first_row + i < rows ? first_row + i : rows - 1) * left_row;
    }
    for (int k = first_term; k < depth; k += terms_together) {
      several<Right, 4> weights[4];
      several<T, 4> x[Rows];
      TENON_UNROLL for (int j = 0; j < 4; ++j) weights[j] =
          several_at<4>(right + (k + j) * right_row + column);
      TENON_UNROLL for (int i = 0; i < Rows; ++i) x[i] = several_at<4>(from[i] + k);
      TENON_UNROLL for (int j = 0; j < 4; ++j) {
        TENON_UNROLL for (int c = 0; c < 4; ++c) {
          const T weight = weights[j].numbers[c];
          TENON_UNROLL for (int i = 0; i < Rows; ++i) sums[i][c] += x[i].numbers[j] * weight;
        }
      }
    }
  }
};

// Can a product be computed by split_product: are columns and terms multiples of four, and aligned?
template <class T, class Right>
bool splits(int columns, int depth, const T* left, std::ptrdiff_t left_row, const Right* right,
            std::ptrdiff_t right_row) {
  return columns % 4 == 0 && depth % 4 == 0 && can_read<4>(left, left_row) && can_read<4>(right, right_row);
}
template <int Rows, class T, class Right>
void multiply_split(const split_product<T, Rows, Right>& product, const char* kernel_name) {
  using kernel = split_product<T, Rows, Right>;
  launch(product, {blocks_for(product.rows, Rows), blocks_for(product.columns, kernel::columns_together)},
         kernel_name);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
