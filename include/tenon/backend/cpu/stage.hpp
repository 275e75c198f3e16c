// stage: products and the map that alone reads them, a vector of units at a time. The weights of all sums of
// a unit stand side by side, the sums stay in registers, and what the map writes goes to memory once.
#pragma once

#include "tenon/backend/cpu/map.hpp"
#include "tenon/backend/cpu/product.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace tenon::backend {

// Rows that one product of a stage reads, and its packed weights.
template <class T>
struct stage_rows {
  const T* data;
  std::ptrdiff_t row, step;
  const T* packed;
};

// One row reads every weight once, wherever it stands. With several rows the weights of a vector of units
// must stay in the first cache meanwhile; and the sums of some rows, in registers.
constexpr stage_limits limits_of_stages(cpu, int rows) {
  constexpr int lanes = simd::vector<float>::size;
  return {.sums = 16, .weights = rows == 1 ? 1 << 20 : 32 * 1024 / (lanes * int(sizeof(float)))};
}

// Weights are rounded where they are read once for each row; several rows share them, and there is no stage.
template <class... Trades>
constexpr stage_limits limits_of_stages(cpu_with<Trades...> on, int rows) {
  const bool rounds = trades<decltype(on), bfloat16_weights>;
  return rows == 1 || !rounds ? limits_of_stages(cpu{}, rows) : stage_limits{};
}

namespace detail {

// How the vectors of weights for one feature are stored. All of them stand in `stored(count)` vectors.
struct whole_weights {
  static constexpr int stored(int count) { return count; }
  template <int I, class T>
  TENON_ALWAYS_INLINE static simd::vector<T> load(const T* from) {
    return simd::vector<T>::load(from + I * simd::vector<T>::size);
  }
  template <class T>
  static void put(T weight, int i, int lane, T* to) {
    to[i * simd::vector<T>::size + lane] = weight;
  }
};
// Two of them share the 32 bits of each lane: the first in the lower half.
struct bfloat16_pairs {
  static constexpr int stored(int count) { return (count + 1) / 2; }
  template <int I>
  TENON_ALWAYS_INLINE static simd::vector<float> load(const float* from) {
    return simd::bfloat16_half<I % 2>(simd::vector<float>::load(from + I / 2 * simd::vector<float>::size));
  }
  static void put(float weight, int i, int lane, float* to) {
    std::uint32_t bits = std::bit_cast<std::uint32_t>(weight), pair;
    std::memcpy(&pair, to + i / 2 * simd::vector<float>::size + lane, sizeof pair);
    if (weight == weight) bits += 0x7fff + (bits >> 16 & 1);  // to nearest, ties to even; NaN stays NaN
    else bits |= 0x10000;
    pair = i % 2 == 0 ? bits >> 16 : (bits & 0xffff0000) | (pair & 0xffff);
    std::memcpy(to + i / 2 * simd::vector<float>::size + lane, &pair, sizeof pair);
  }
};

template <class Backend, class T>
using storage_of = std::conditional_t<trades<Backend, bfloat16_weights> && std::is_same_v<T, float>,
                                      bfloat16_pairs, whole_weights>;

// Vectors of units whose weights stand together, so that a row reads them as one front through memory.
constexpr int stage_group(const stage_body& stage) {
  int most = 1;  // columns of a product
  for (const stage_product& p : stage.products) most = p.columns.size > most ? p.columns.size : most;
  return most >= 5 ? 1 : most >= 3 ? 2 : 4;
}

}  // namespace detail

// Room for the weights of a product, [groups][depth][vectors of the group][columns][lanes].
template <int Width, int Depth, std::derived_from<cpu> Backend>
constexpr int packed_stage_size(Backend, const stage_body& stage, const stage_product& product) {
  constexpr int size = simd::vector<float>::size, vectors = (Width + size - 1) / size;
  const int group = detail::stage_group(stage), columns = product.columns.size;
  const auto stored = [&](int members) {
    return detail::storage_of<Backend, float>::stored(members * columns);
  };
  return (vectors / group * stored(group) + stored(vectors % group)) * size * Depth;
}
// w [N, Depth]; a column of the product + unit is the row of w that a sum of the unit reads. Zeros past Width.
template <int Width, int Depth, std::derived_from<cpu> Backend, class T>
void pack_stage(Backend, const stage_body& stage, const stage_product& product, const T* w, T* packed) {
  using storage = detail::storage_of<Backend, T>;
  constexpr int size = simd::vector<T>::size, vectors = (Width + size - 1) / size;
  const int group = detail::stage_group(stage), columns = product.columns.size;
  for (int first = 0; first < vectors; first += group) {
    const int members = vectors - first < group ? vectors - first : group;
    for (int k = 0; k < Depth; ++k) {
      for (int i = 0; i < members * columns; ++i)
        for (int lane = 0; lane < size; ++lane) {
          const int unit = (first + i / columns) * size + lane, row = product.columns[i % columns] + unit;
          storage::put(unit < Width ? w[std::ptrdiff_t(row) * Depth + k] : T(0), i, lane, packed);
        }
      packed += storage::stored(members * columns) * size;
    }
  }
}

// Room for `count` vectors of a stage, [vectors][count][lanes].
template <int Width>
constexpr int packed_vectors_size(cpu, int count) {
  return detail::padded_to_vectors<Width, float> * count;
}
// Adds b to vector `number` of `count`, [vectors][count][lanes].
template <int Width, class T>
void add_stage_vector(cpu, int count, int number, const T* b, T* packed) {
  constexpr int size = simd::vector<T>::size;
  for (int unit = 0; unit < Width; ++unit)
    packed[(unit / size * count + number) * size + unit % size] += b[unit];
}

namespace detail {

template <class Stage, class T, class Backend>
struct vector_stage {
  using map = vector_map<Stage, T, functions_of<Backend, T>::template function>;
  using Weights = storage_of<Backend, T>;
  using vector = simd::vector<T>;
  static constexpr int size = vector::size, width = Stage::body.width;
  static constexpr int vectors = (width + size - 1) / size, in_last = width - (vectors - 1) * size;
  static constexpr const auto& products = Stage::stage.products;
  static constexpr int sums = Stage::stage.sums, packed_vectors = Stage::stage.packed;
  static constexpr int rows_together = [] {  // sums, weights and one feature of x share the registers
#if defined(__AVX512F__)
    constexpr int registers = 32;
#else
    constexpr int registers = 16;
#endif
    int rows = 8;
    while (rows > 1 && rows * sums + sums + 1 > registers) rows /= 2;
    return rows;
  }();

  // How many vectors of units a row takes together, and how many are left over in the end.
  static constexpr int group = stage_group(Stage::stage) < vectors ? stage_group(Stage::stage) : vectors;
  static constexpr int rest = vectors % group;

  // Rows [0, Height) of the operands, Vectors vectors of units from vector `first` on, of a group of
  // `members`.
  template <int Height, int Vectors>
  TENON_ALWAYS_INLINE TENON_FLATTEN static void block(int first, int members, const stage_rows<T>* x,
                                                      const T* packed, const operand<const T>* loads,
                                                      const operand<T>* stores) {
    const T* const vectors_here = packed + std::ptrdiff_t(first) * packed_vectors * size;
    vector total[Height][Vectors][sums];
    repeat<map::load_count>([&](auto l) TENON_ALWAYS_INLINE {
      constexpr map_load load = Stage::body.loads[l];
      if constexpr (load.sum >= 0)
        repeat<Vectors>([&](auto v) TENON_ALWAYS_INLINE {
          vector start(0);
          if constexpr (load.packed >= 0)
            start = vector::load(vectors_here + (v * packed_vectors + load.packed) * size);
          repeat<Height>([&](auto r) TENON_ALWAYS_INLINE { total[r][v][load.sum] = start; });
        });
    });
    repeat<products.size>([&](auto p) TENON_ALWAYS_INLINE {
      add_product<Height, Vectors, p>(x[p].data, x[p].row, x[p].packed, first, members, total);
    });
    const auto finish = [&](int r, int v) TENON_ALWAYS_INLINE {
      const int j = (first + v) * size;
      const T* const parameters = vectors_here + v * packed_vectors * size;
      if (in_last == size || first + v + 1 < vectors)
        map::features(r, j, simd::whole<T>{}, parameters, loads, stores, total[r][v]);
      else map::features(r, j, simd::part<T>(in_last), parameters, loads, stores, total[r][v]);
    };
    if constexpr (Height * Vectors <= 2) {
      repeat<Vectors>([&](auto v) TENON_ALWAYS_INLINE { finish(0, v); });
    } else {
      for (int r = 0; r < Height; ++r)
        for (int v = 0; v < Vectors; ++v) finish(r, v);
    }
  }

  template <int Height>
  TENON_ALWAYS_INLINE static void all_units(const stage_rows<T>* x, const T* packed,
                                            const operand<const T>* loads, const operand<T>* stores) {
    constexpr int at_once = Height == 1 ? group : 1;
    for (int v = 0; v < vectors - rest; v += at_once)
      block<Height, at_once>(v, group, x, packed, loads, stores);
    if constexpr (Height == 1 && rest > 0)
      block<Height, rest>(vectors - rest, rest, x, packed, loads, stores);
    else
      for (int v = vectors - rest; v < vectors; ++v) block<Height, 1>(v, rest, x, packed, loads, stores);
  }

 private:
  template <int P>
  static constexpr bool begins_sum(int column) {  // no column of this product before it adds to its sum
    return products[P].sums.find(products[P].sums[column]) == column;
  }
  template <int Height, int Vectors, int P>
  TENON_ALWAYS_INLINE static void add_product(const T* x, std::ptrdiff_t row, const T* packed, int first,
                                              int members, vector (&total)[Height][Vectors][sums]) {
    constexpr stage_product product = products[P];
    constexpr int columns = product.columns.size, depth = product.depth;
    // Few sums would wait for each other: then the even and the odd features have sums of their own.
    constexpr int together = Height * Vectors * columns < 8 ? 2 : 1;
    const std::ptrdiff_t next = Weights::stored((Height == 1 ? Vectors : members) * columns) * size;
    const T* const w = packed + (std::ptrdiff_t(first / group) * Weights::stored(group * columns) * depth +
                                 first % group * columns) *
                                    size;
    // Sum i is that of column i % columns, of vector i / columns % Vectors, of row i / (columns * Vectors).
    constexpr int beside = Vectors * columns, count = Height * beside;
    vector part[together][count];
    repeat<count>([&](auto i) TENON_ALWAYS_INLINE {
      constexpr int c = i % columns;
      part[0][i] = begins_sum<P>(c) ? total[i / beside][i / columns % Vectors][product.sums[c]] : vector(0);
      if constexpr (together == 2) part[1][i] = vector(0);
    });
    const auto add_feature = [&](vector* sums_of, int k) TENON_ALWAYS_INLINE {
      vector left[Height], right[beside];
      repeat<beside>([&](auto i) TENON_ALWAYS_INLINE { right[i] = Weights::template load<i>(w + k * next); });
      repeat<Height>([&](auto r) TENON_ALWAYS_INLINE { left[r] = vector(x[r * row + k]); });
      repeat<count>([&](auto i) TENON_ALWAYS_INLINE {
        sums_of[i] = fma(left[i / beside], right[i % beside], sums_of[i]);
      });
    };
    int k = 0;
    for (; k + together <= depth; k += together) {
      add_feature(part[0], k);
      if constexpr (together == 2) add_feature(part[1], k + 1);
    }
    if constexpr (depth % together != 0) add_feature(part[0], k);
    repeat<count>([&](auto i) TENON_ALWAYS_INLINE {
      constexpr int c = i % columns;
      vector& sum = total[i / beside][i / columns % Vectors][product.sums[c]];
      const vector mine = together == 2 ? part[0][i] + part[together - 1][i] : part[0][i];
      sum = begins_sum<P>(c) ? mine : sum + mine;
    });
  }
};

}  // namespace detail

// For every row: the sums of its products, then the map. x[p] are the rows of product p, `packed` the vectors
// among the loads. All of it is inlined where it is used: what the operands are then stays in registers, while
// writing it to memory and reading it again took a tenth of a small step.
template <class Stage, std::derived_from<cpu> Backend, class T>
TENON_ALWAYS_INLINE inline void stage(Backend, int steps, int rows, const stage_rows<T>* x, const T* packed,
                                      const operand<const T>* loads, const operand<T>* stores) {
  using kernel = detail::vector_stage<Stage, T, Backend>;
  using map = typename kernel::map;
  constexpr int together = trades<Backend, bfloat16_weights> ? 1 : kernel::rows_together;
  const auto some = [&]<int Height>(int t, int r) TENON_ALWAYS_INLINE {
    stage_rows<T> x_here[kernel::products.size];
    operand<const T> loads_here[map::load_count + 1];
    operand<T> stores_here[map::store_count + 1];
    const auto move = [&](const auto& from, auto& to) TENON_ALWAYS_INLINE {
      to = from;
      to.data += t * from.step + r * from.row;
    };
    repeat<kernel::products.size>([&](auto p) TENON_ALWAYS_INLINE { move(x[p], x_here[p]); });
    repeat<map::load_count>([&](auto l) TENON_ALWAYS_INLINE { move(loads[l], loads_here[l]); });
    repeat<map::store_count>([&](auto s) TENON_ALWAYS_INLINE { move(stores[s], stores_here[s]); });
    kernel::template all_units<Height>(x_here, packed, loads_here, stores_here);
  };
  for (int t = 0; t < steps; ++t) {
    int r = 0;
    if constexpr (together > 1)
      for (; r + together <= rows; r += together) some.template operator()<together>(t, r);
    for (; r < rows; ++r) some.template operator()<1>(t, r);
  }
}

}  // namespace tenon::backend
