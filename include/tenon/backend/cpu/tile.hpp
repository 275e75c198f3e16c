// C[m, j] (+)= sum_p A[m, p] B[p, j], the loop under every product: a tile of C stays in registers while p
// runs. The sizes are run-time numbers, so that all layers share these few functions.
#pragma once

#include "tenon/backend/cpu/simd.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd {

#if defined(__AVX512F__)
inline constexpr int tallest_tile = 8;  // 16 sums of 32 registers
#else
inline constexpr int tallest_tile = 6;  // 12 sums of 16 registers
#endif
// After this many values of p, one cache line of the next part is prefetched. All tiles of a column do it, one after the other: a line for
// each value would be more than they have to read, and evict B from the first cache.
inline constexpr int values_for_a_line = 8;
// How many values of p run at once: two vectors of each of these rows of B stay in the first cache.
inline constexpr int deepest_tile = 256;
// While all columns of B go by, the rows of A stay in a second cache of 256 or 512 KiB: all of them if they are no more numbers than
// this, else some tiles of them at a time. Where there is AVX-512, that cache has 1 MiB or more, and all rows run at once.
inline constexpr int most_numbers_of_rows = 3 << 15, tallest_block = 24 * tallest_tile;
#if defined(__AVX512F__)
inline constexpr bool has_blocks = false;
#else
inline constexpr bool has_blocks = true;
#endif
// How many vectors of a single row run at once: where none of its sums is taken apart, as many as an addition takes to end.
inline constexpr int vectors_of_row = adds_in_one_order ? 8 : 4;

// A[m, p] is at data[m * row + p * step]; the next tallest tile of rows begins `tile` further.
template <class T>
struct left_matrix {
  static constexpr bool in_parts = false;
  const T* data;
  std::ptrdiff_t row, step, tile = tallest_tile * row;

  const T& at(int m, int p) const { return data[m * row + p * step]; }
  void go_down(int rows) { data += rows == tallest_tile ? tile : rows * row; }
  left_matrix from(int p) const { return {data + p * step, row, step, tile}; }
};
// The values of p are in parts, `deep` adjacent values in each. A part begins at data + left, and its rows of B at row `right`.
// In a product the depth is the number of parts.
struct part_of_depth {
  std::ptrdiff_t left, right;
};
template <class T>
struct left_parts {
  static constexpr bool in_parts = true;
  const T* data;
  std::ptrdiff_t row;
  const part_of_depth* parts;
  int deep;

  void go_down(int rows) { data += rows * row; }
  left_parts from(int part) const { return {data, row, parts + part, deep}; }
};
// Rows at arbitrary addresses: A[m, p] is at rows[m][p * step].
template <class T>
struct left_rows {
  static constexpr bool in_parts = false;
  const T* const* rows;
  std::ptrdiff_t step;

  const T& at(int m, int p) const { return rows[m][p * step]; }
  void go_down(int count) { rows += count; }
  // There are at most deepest_tile values of p.
  left_rows from(int) const { return *this; }
};
// B[p, j] is at data[(j / panel_width) * panel + p * step + j % panel_width]: panels two vectors wide.
template <class T>
struct right_matrix {
  static constexpr int panel_width = 2 * vector<T>::size;
  const T* data;
  std::ptrdiff_t step, panel;
  bool padded = false;  // may the last vector of a row be read as a whole vector?
};
// C[m, j] is at data[m * row + j].
template <class T>
struct result_matrix {
  T* data;
  std::ptrdiff_t row;
  bool add = false;  // C += A B instead of C = A B
};

// Height rows by `Vectors` vectors of C. In the last vector, the lanes `from` are read from B and the lanes `to`
// written to C. Meanwhile the rows of C and the memory at `ahead` are prefetched.
template <int Height, int Vectors, class V, class T, class Left, class Lanes>
TENON_ALWAYS_INLINE inline void tile(int depth, Left a, right_matrix<T> b, result_matrix<T> c, Lanes from,
                                     Lanes to, const T* ahead) {
  constexpr int line = 64 / sizeof(T), part_of_line = line / values_for_a_line;
  if constexpr (Height > 1)
    for (int m = 0; m < Height; ++m) {
      __builtin_prefetch(c.data + m * c.row, 1);
      if constexpr (Vectors * V::size > line) __builtin_prefetch(c.data + m * c.row + line, 1);
    }
  // With few sums, each addition would wait for the one before: so several values of p at a time, each with its own sums.
  constexpr int together = adds_in_one_order || Height * Vectors >= 8 ? 1 : 8 / (Height * Vectors);
  V sums[together][Height][Vectors];
  TENON_UNROLL for (int k = 0; k < together; ++k) TENON_UNROLL for (int m = 0; m < Height; ++m)
      TENON_UNROLL for (int v = 0; v < Vectors; ++v) sums[k][m][v] = V(0);
// Where addresses have 32 bits, g++ warns that `place` would pass the end of memory if there were as many values of p as an int has.
#if defined(__GNUC__) && !defined(__clang__) && __SIZEOF_POINTER__ == 4
#  pragma GCC diagnostic push
#  pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#endif
  const auto multiply = [&](int deep, const auto& left_side, const T* right_side) TENON_ALWAYS_INLINE {
    const auto step = [&](V(&sum)[Height][Vectors], int p) TENON_ALWAYS_INLINE {
      if constexpr (Height > 1) __builtin_prefetch(ahead + p * part_of_line);
      V right[Vectors];
      TENON_UNROLL for (int v = 0; v < Vectors; ++v) {
        const T* place = right_side + (v / 2) * b.panel + p * b.step + (v % 2) * V::size;
        right[v] = v + 1 == Vectors ? from.load(place) : V::load(place);
      }
      TENON_UNROLL for (int m = 0; m < Height; ++m) {
        const V left(left_side.at(m, p));
        TENON_UNROLL for (int v = 0; v < Vectors; ++v) sum[m][v] = fma(left, right[v], sum[m][v]);
      }
    };
    int p = 0;
    for (; p + together <= deep; p += together)
      TENON_UNROLL for (int k = 0; k < together; ++k) step(sums[k], p + k);
    if constexpr (together > 1)
      for (; p < deep; ++p) step(sums[0], p);
  };
#if defined(__GNUC__) && !defined(__clang__) && __SIZEOF_POINTER__ == 4
#  pragma GCC diagnostic pop
#endif
  if constexpr (Left::in_parts)
    for (int part = 0; part < depth; ++part, ahead += a.deep * part_of_line)
      multiply(a.deep, left_matrix<T>{a.data + a.parts[part].left, a.row, 1},
               b.data + a.parts[part].right * b.step);
  else multiply(depth, a, b.data);

  TENON_UNROLL for (int m = 0; m < Height; ++m) TENON_UNROLL for (int v = 0; v < Vectors; ++v) {
    V total = sums[0][m][v];
    TENON_UNROLL for (int k = 1; k < together; ++k) total = total + sums[k][m][v];
    T* place = c.data + m * c.row + v * V::size;
    if (v + 1 == Vectors) to.store(place, c.add ? to.load(place) + total : total);
    else (c.add ? V::load(place) + total : total).store(place);
  }
}

// All rows of `Vectors` columns of vectors; the part of B that comes next is at `ahead`. One function that is not
// inlined and contains all tiles: a call for each tile took a tenth of the time at a depth of 32.
template <int Vectors, class V, class T, class Left, class Lanes>
[[gnu::noinline]] TENON_FLATTEN void column_of_tiles(int height, int depth, Left a, right_matrix<T> b,
                                                     result_matrix<T> c, Lanes from, Lanes to,
                                                     const T* ahead) {
  constexpr int tall = tallest_tile;
  const auto down = [&](int count) {
    a.go_down(count);
    c.data += count * c.row;
    height -= count;
    ahead += depth * (64 / static_cast<int>(sizeof(T)) / values_for_a_line);
  };
  while (height >= tall) tile<tall, Vectors, V>(depth, a, b, c, from, to, ahead), down(tall);
  if (height >= 4) tile<4, Vectors, V>(depth, a, b, c, from, to, ahead), down(4);
  if (height >= 2) tile<2, Vectors, V>(depth, a, b, c, from, to, ahead), down(2);
  if (height >= 1) tile<1, Vectors, V>(depth, a, b, c, from, to, ahead);
}

// The largest depth for which two vectors of each row of B stay in the first cache.
template <class T>
int deepest_in_cache(const left_parts<T>& a) {
  return a.deep < deepest_tile ? deepest_tile / a.deep : 1;
}
template <class Left>
int deepest_in_cache(const Left&) {
  return deepest_tile;
}

// All columns of some rows: pairs of whole vectors, then the rest one vector at a time. Masks cost instructions, so pairs
// have none. `is_whole`: is this the whole depth of the product?
template <class T, class Left>
void row_of_columns(int height, int width, int depth, bool is_whole, const Left& a, right_matrix<T> b,
                    result_matrix<T> c) {
  using V = vector<T>;
  constexpr int size = V::size;
  for (int n = width; n > 0;) {
    const bool row = height == 1 && n > (vectors_of_row - 1) * size;
    const int vectors = row ? vectors_of_row : height == 1 && n > 3 * size ? 4 : n >= 2 * size ? 2 : 1;
    const int last = n < vectors * size ? n - (vectors - 1) * size : size;
    const part<V> to(last), from(b.padded ? size : last);
    if (row) tile<1, vectors_of_row, V>(depth, a, b, c, from, to, b.data);
    else if (vectors == 4) tile<1, 4, V>(depth, a, b, c, from, to, b.data);
    else {
      const T* const ahead = b.data + (is_whole ? depth * b.step : b.panel);
      bool done = false;
      if (vectors == 2)
        done = true, column_of_tiles<2, V>(height, depth, a, b, c, whole<V>{}, whole<V>{}, ahead);
      if constexpr (narrowest<T> < size)
        if (last <= narrowest<T> && !done) {
          using narrow = vector<T, narrowest<T>>;
          const part<narrow> lanes(last);
          done = true, column_of_tiles<1, narrow>(height, depth, a, b, c, lanes, lanes, ahead);
        }
      if (!done) column_of_tiles<1, V>(height, depth, a, b, c, from, to, ahead);
    }
    b.data += vectors == 1 ? size : vectors / 2 * b.panel;
    c.data += vectors * size;
    n -= vectors * size;
  }
}

// C [height, width] (+)= A [height, depth] B [depth, width]. The depth is limited so that rows of B that several tiles
// read stay in the first cache, and the height so that as much of A stays in the second.
template <class T, class Left = left_matrix<T>>
[[gnu::noinline]] void product(int height, int width, int depth, Left a, right_matrix<T> b,
                               result_matrix<T> c) {
  const int most = deepest_in_cache(a);
  const int together = (adds_in_one_order || height > tallest_tile) && depth > most ? most : depth;
  for (int p = 0; p < depth; p += together, c.add = true) {
    const int deep = depth - p < together ? depth - p : together;
    Left left = a.from(p);
    right_matrix<T> right = b;
    if constexpr (!Left::in_parts) right.data += p * b.step;
    result_matrix<T> sums = c;
    const int tall = has_blocks && long{height} * deep > most_numbers_of_rows ? tallest_block : height;
    for (int rows = height;; rows -= tall) {
      row_of_columns(rows < tall ? rows : tall, width, deep, deep == depth, left, right, sums);
      if (rows <= tall) break;
      for (int m = 0; m < tall; m += tallest_tile) left.go_down(tallest_tile);
      sums.data += tall * c.row;
    }
  }
}

// The same for one row, with the sizes known: a step of a single sequence then costs little more than loading B.
template <int Width, int Depth, class T>
void row_product(left_matrix<T> a, right_matrix<T> b, result_matrix<T> c) {
  using V = vector<T>;
  constexpr int size = V::size;
  constexpr int vectors = (Width + size - 1) / size, last = Width - (vectors - 1) * size;
  const auto columns = [&](auto count, bool at_end) TENON_ALWAYS_INLINE {
    const part<V> to(at_end ? last : size), from(at_end && !b.padded ? last : size);
    tile<1, count, V>(Depth, a, b, c, from, to, b.data);
    b.data += count / 2 * b.panel;
    c.data += count * size;
  };
  constexpr int at_once = vectors_of_row;
  for (int v = at_once; v <= vectors; v += at_once)
    columns(std::integral_constant<int, at_once>{}, v == vectors);
  if constexpr (vectors % at_once >= 4) columns(std::integral_constant<int, 4>{}, vectors % 4 == 0);
  if constexpr (vectors % 4 >= 2) columns(std::integral_constant<int, 2>{}, vectors % 2 == 0);
  if constexpr (vectors % 2 == 1) columns(std::integral_constant<int, 1>{}, true);
}
template <int Width, int Depth, class T>
void product(int height, left_matrix<T> a, right_matrix<T> b, result_matrix<T> c) {
  // g++ 12 would instrument the known sizes for 2 s for each shape; with run-time sizes it is the same loop
#if !defined(__SANITIZE_ADDRESS__)
  constexpr bool is_whole =
      !adds_in_one_order || Depth <= deepest_tile;  // the loop over all rows would not divide its depth
  if (is_whole && height == 1) return row_product<Width, Depth>(a, b, c);
#endif
  product(height, Width, Depth, a, b, c);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd
