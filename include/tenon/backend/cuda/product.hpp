// Products with a learned matrix w [N, K] and the gradients of both sides, in tiles of shared memory. One kernel does all of them: sizes
// are arguments, so that a program compiles few kernels, however many shapes it has. Each sum has one fixed order: equal runs give
// equal bits. See reference/product.hpp for the formulas.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/cuda/split_product.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/cuda/tensor_product.hpp"
#include "tenon/backend/cuda/tile.hpp"
#include "tenon/backend/thrust/product.hpp"

#include <type_traits>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace cuda_detail {

// out[m, n] = sum_k left[m, k] right[k, n] over the terms of part z, at out + z * part_size; added to the old value if `adds`.
// right[k, n] is at k * right_row + n. left[m, k] is at m * left_row + k or, if TransposedLeft, at k * left_row + m. Right is the stored
// type of the right side. Two tiles of each side are in shared memory: one is read while the next one is fetched.
template <class T, class Tile, bool TransposedLeft, class Right = T>
struct tiled_product {
  static constexpr int threads = Tile::threads;
  static constexpr int left_stride = Tile::rows + 4,
                       right_stride = Tile::columns + 4;  // + 4 against bank conflicts
  static constexpr int left_tile = Tile::depth * left_stride, right_tile = Tile::depth * right_stride;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, 2 * left_tile> left;
    Array<T, 2 * right_tile> right;
  };

  int rows, columns, depth, terms;  // of all parts, and of a part
  const T* left;
  const Right* right;
  T* out;
  std::ptrdiff_t left_row, right_row, out_row, part_size;
  bool adds;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t first_row = std::ptrdiff_t(thread.block.x) * Tile::rows;
    const int first_column = thread.block.y * Tile::columns;
    const int begin = thread.block.z * terms, end = begin + terms < depth ? begin + terms : depth;
    const int row = Tile::first_row(thread.index);
    side<Tile::rows, left_stride, !TransposedLeft> lefts;
    side<Tile::columns, right_stride, false> rights;
    T sums[Tile::thread_rows][Tile::thread_columns]{};
    lefts.fetch(thread.index, left, left_row, first_row, rows, begin, end);
    rights.fetch(thread.index, right, right_row, first_column, columns, begin, end);
    for (int k = begin, now = 0; k < end; k += Tile::depth, now = 1 - now) {
      lefts.store(thread.index, now * left_tile, thread.shared.left);
      rights.store(thread.index, now * right_tile, thread.shared.right);
      thread.synchronise();  // a tile is overwritten only after all threads have passed the next barrier
      if (k + Tile::depth < end) {
        lefts.fetch(thread.index, left, left_row, first_row, rows, k + Tile::depth, end);
        rights.fetch(thread.index, right, right_row, first_column, columns, k + Tile::depth, end);
      }
      TENON_UNROLL for (int d = 0; d < Tile::depth; ++d) {
        T a[Tile::thread_rows], b[Tile::thread_columns];
        TENON_UNROLL for (int i = 0; i < Tile::thread_rows; ++i) {
          a[i] = thread.shared.left[now * left_tile + d * left_stride + row + i];
        }
        TENON_UNROLL for (int j = 0; j < Tile::thread_columns; ++j) {
          b[j] = thread.shared.right[now * right_tile + d * right_stride + Tile::column(thread.index, j)];
        }
        TENON_UNROLL for (int i = 0; i < Tile::thread_rows; ++i) {
          TENON_UNROLL for (int j = 0; j < Tile::thread_columns; ++j) sums[i][j] += a[i] * b[j];
        }
      }
    }
    T* const part = out + thread.block.z * part_size;
    TENON_UNROLL for (int i = 0; i < Tile::thread_rows; ++i) {
      TENON_UNROLL for (int j = 0; j < Tile::thread_columns; ++j) {
        const std::ptrdiff_t r = first_row + row + i;
        const int c = first_column + Tile::column(thread.index, j);
        if (r < rows && c < columns) {
          T& y = part[r * out_row + c];
          y = adds ? y + sums[i][j] : sums[i][j];
        }
      }
    }
  }

 private:
  // A thread's numbers of a tile of one side, on their way to shared memory: zeros where the tile extends past the side or past the part.
  template <int Across, int Stride, bool AlongDepth>
  struct side {
    static constexpr int count = Across * Tile::depth / threads;
    static_assert(count * threads == Across * Tile::depth);
    T numbers[count];

    template <class From>
    TENON_KERNEL void fetch(int thread, const From* from, std::ptrdiff_t from_row, std::ptrdiff_t first,
                            int size, int k, int end) {
      TENON_UNROLL for (int n = 0; n < count; ++n) {
        const auto [across, along] = place_in_tile<Across, Tile::depth, AlongDepth>(n * threads + thread);
        const std::ptrdiff_t place = first + across;
        const bool is_there = place < size && k + along < end;
        numbers[n] = 0;
        if (is_there)
          numbers[n] = AlongDepth ? from[place * from_row + k + along] : from[(k + along) * from_row + place];
      }
    }
    template <class Array>
    TENON_KERNEL void store(int thread, int tile, Array& to) const {
      TENON_UNROLL for (int n = 0; n < count; ++n) {
        const auto [across, along] = place_in_tile<Across, Tile::depth, AlongDepth>(n * threads + thread);
        to[tile + along * Stride + across] = numbers[n];
      }
    }
  };
};

// out[i] += sum_p parts[p * count + i], in the order of the parts.
template <class T>
struct add_parts {
  static constexpr int threads = 128;
  template <template <class, int> class>
  using shared_memory = nothing_shared;

  std::ptrdiff_t count;
  int parts;
  const T* from;
  T* out;
  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t i = std::ptrdiff_t(thread.block.x) * threads + thread.index;
    if (i >= count) return;
    T sum = 0;
    for (int p = 0; p < parts; ++p) sum += from[p * count + i];
    out[i] += sum;
  }
};

// out[n] += sum_r g[r, n]: each of `slices` threads sums a part of the rows, and then the parts are added in their order.
template <class T>
struct sum_columns {
  static constexpr int columns = 32, slices = 8, threads = columns * slices;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, threads> sums;
  };

  int rows, width;
  const T* g;
  std::ptrdiff_t g_row;
  T* out;
  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const int column = thread.block.x * columns + thread.index % columns, slice = thread.index / columns;
    T sum = 0;
    if (column < width)
      for (std::ptrdiff_t r = slice; r < rows; r += slices) sum += g[r * g_row + column];
    thread.shared.sums[thread.index] = sum;
    thread.synchronise();
    if (slice > 0 || column >= width) return;
    for (int s = 1; s < slices; ++s) sum += thread.shared.sums[s * columns + thread.index];
    out[column] += sum;
  }
};

template <class Tile, bool TransposedLeft = false, class T, class Right>
void multiply(tiled_product<T, Tile, TransposedLeft, Right> product, int parts, const char* kernel_name) {
  launch(product, {tiles_for(product.rows, Tile::rows), tiles_for(product.columns, Tile::columns), parts},
         kernel_name);
}
// On tensor cores, if both sides can be read four numbers at a time, and there are enough tiles: false without a launch if not.
template <class Tile, bool TransposedLeft>
bool multiply_in_tensor_tiles(const tiled_product<float, wide_tile, TransposedLeft>& p, int parts,
                              int least_tiles, const char* kernel_name) {
  using kernel = tensor_product<Tile, TransposedLeft>;
  if (!has_tiles<Tile>(p.rows, p.columns * parts, least_tiles) || !can_read<4>(p.left, p.left_row) ||
      !can_read<4>(p.right, p.right_row) || !has_tensor_cores<kernel>())
    return false;
  launch(kernel{p.rows, p.columns, p.depth, p.terms, p.left, p.right, p.out, p.left_row, p.right_row,
                p.out_row, p.part_size, p.adds},
         {tiles_for(p.rows, Tile::rows), tiles_for(p.columns, Tile::columns), parts}, kernel_name);
  return true;
}
template <bool TransposedLeft>
bool multiply_on_tensor_cores(const tiled_product<float, wide_tile, TransposedLeft>& p, int parts,
                              const char* kernel_name) {
  if (multiply_in_tensor_tiles<large_tensor_tile>(p, parts, 2 * enough_blocks, kernel_name) ||
      multiply_in_tensor_tiles<wide_tensor_tile>(p, parts, 2 * enough_blocks, kernel_name))
    return true;
  if constexpr (TransposedLeft) return false;
  else return multiply_in_tensor_tiles<low_tensor_tile>(p, parts, enough_blocks, kernel_name);
}
// Chooses by size: tiles large enough that there is a block for each multiprocessor; else the terms of a sum split among the threads of a
// block; if that is not possible, wide tiles if they give half as many blocks, else small tiles.
template <bool TransposedLeft, class T, class Right = T>
void multiply(const tiled_product<T, wide_tile, TransposedLeft, Right>& product, int parts = 1,
              const char* kernel_name = __builtin_FUNCTION()) {
  const tiled_product<T, wide_tile, TransposedLeft, Right>& p = product;
  const auto in_tiles = [&]<class Tile>(Tile) {
    return multiply<Tile, TransposedLeft>(
        tiled_product<T, Tile, TransposedLeft, Right>{p.rows, p.columns, p.depth, p.terms, p.left, p.right,
                                                      p.out, p.left_row, p.right_row, p.out_row, p.part_size,
                                                      p.adds},
        parts, kernel_name);
  };
  if constexpr (std::is_same_v<T, float> && std::is_same_v<Right, float>)
    if (multiply_on_tensor_cores(p, parts, kernel_name)) return;
  if (parts == 1 && uses_large_tiles(p.rows, p.columns)) return in_tiles(large_tile{});
  if (has_tiles<wide_tile>(p.rows, p.columns * parts, enough_blocks)) return in_tiles(wide_tile{});
  if constexpr (!TransposedLeft)
    if (parts == 1 && p.rows > 0 && splits(p.columns, p.depth, p.left, p.left_row, p.right, p.right_row)) {
      if (p.rows <= 2)
        return multiply_split(split_product<T, 2, Right>{p.rows, p.columns, p.depth, p.left, p.right, p.out,
                                                         p.left_row, p.right_row, p.out_row, p.adds},
                              kernel_name);
      return multiply_split(split_product<T, 8, Right>{p.rows, p.columns, p.depth, p.left, p.right, p.out,
                                                       p.left_row, p.right_row, p.out_row, p.adds},
                            kernel_name);
    }
  if (uses_wide_tiles(p.rows, p.columns * parts)) return in_tiles(wide_tile{});
  in_tiles(small_tile{});
}

}  // namespace cuda_detail

template <int N, int K, class T, class W>
void matmul(cuda, int rows, const T* x, std::ptrdiff_t x_stride, const W* packed, T* y,
            std::ptrdiff_t y_stride) {
  cuda_detail::multiply<false, T, W>({rows, N, K, K, x, packed, y, x_stride, N, y_stride, 0, false});
}
template <int N, int K, class T>
void matmul_transposed(cuda, int rows, const T* g, std::ptrdiff_t g_stride, const T* w, T* dx,
                       std::ptrdiff_t dx_stride) {
  cuda_detail::multiply<false, T>({rows, K, N, N, g, w, dx, g_stride, K, dx_stride, 0, false});
}
// Without scratch memory every number of the gradient is one sum over all rows.
template <int N, int K, class T>
void gradient_outer(cuda, int rows, const T* g, std::ptrdiff_t g_stride, const T* x, std::ptrdiff_t x_stride,
                    T* dw) {
  cuda_detail::multiply<true, T>({N, K, rows, rows, g, x, dw, g_stride, x_stride, K, 0, true});
}
// The scratch memory for the parts of a gradient's sums. It is part of the plan.
template <int N, int K>
constexpr long outer_scratch_size(cuda) {
  constexpr int parts = cuda_detail::most_parts_for(N, K);
  return parts > 1 ? long(parts) * N * K : 0;
}
template <int N, int K, class T>
void gradient_outer(cuda, int rows, const T* g, std::ptrdiff_t g_stride, const T* x, std::ptrdiff_t x_stride,
                    T* dw, T* scratch) {
  const int parts = cuda_detail::parts_for(N, K, rows);
  if (parts == 1) return gradient_outer<N, K>(cuda{}, rows, g, g_stride, x, x_stride, dw);
  constexpr std::ptrdiff_t size = std::ptrdiff_t(N) * K;
  cuda_detail::multiply<true, T>({N, K, rows, cuda_detail::terms_of_part(rows, parts), g, x, scratch,
                                  g_stride, x_stride, K, size, false},
                                 parts);
  using add = cuda_detail::add_parts<T>;
  cuda_detail::launch(add{size, parts, scratch, dw}, {cuda_detail::blocks_for(size, add::threads)});
}
template <int N, class T>
void gradient_sum(cuda, int rows, const T* g, std::ptrdiff_t g_stride, T* db) {
  using sum = cuda_detail::sum_columns<T>;
  if (rows > 0)
    cuda_detail::launch(sum{rows, N, g, g_stride, db}, {cuda_detail::blocks_for(N, sum::columns)});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
