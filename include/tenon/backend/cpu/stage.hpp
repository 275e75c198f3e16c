// stage: products and the map that alone reads them, a vector of units at a time. The weights of all sums of
// a unit stand side by side, the sums stay in registers, and what the map writes goes to memory once.
#pragma once

#include "tenon/backend/cpu/lanes.hpp"
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

// Where the weights of a product stand: whole vectors of units, some of them together as a group, with the
// weights of all columns side by side. Where the last units would fill half a vector or less, their sums share
// vectors, `slot` lanes for each: 4 sums of 1 unit are one vector and not four. These stand beside the last group.
struct stage_layout {
  int width, size;      // units; lanes of a vector
  int group, columns;   // vectors of units together; sums of a unit that the product is part of
  int slot = 0;         // 0: nothing is shared
  int full = 0;         // vectors of units
  unsigned shared = 0;  // a bit for each shared vector that the product is part of

  constexpr stage_layout(const stage_body& stage, const stage_product& product, int units, int lanes)
      : width(units), size(lanes), group(stage_group(stage)), columns(product.columns.size) {
    const int last = width % size;
    if (last > 0 && 2 * last <= size && stage.sums > 1) slot = int(std::bit_ceil(unsigned(last)));
    full = width / size + (last > 0 && slot == 0);
    for (int sum : product.sums) shared |= slot > 0 ? 1u << sum * slot / size : 0u;
  }
  constexpr int groups() const { return full == 0 ? 1 : (full + group - 1) / group; }
  constexpr int members(int g) const { return full - g * group < group ? full - g * group : group; }
  // Vectors of weights for one feature in group g.
  constexpr int vectors(int g) const {
    return members(g) * columns + (g + 1 == groups() ? std::popcount(shared) : 0);
  }
  // The number of its n-th shared vector.
  constexpr int vector_at(int n) const {
    int v = 0;
    while ((shared >> v & 1) == 0 || n-- > 0) ++v;
    return v;
  }
};

}  // namespace detail

// Room for the weights of a product, [groups][depth][vectors of the group][lanes].
template <int Width, int Depth, std::derived_from<cpu> Backend>
constexpr int packed_stage_size(Backend, const stage_body& stage, const stage_product& product) {
  constexpr int size = simd::vector<float>::size;
  const detail::stage_layout layout(stage, product, Width, size);
  int vectors = 0;
  for (int g = 0; g < layout.groups(); ++g)
    vectors += detail::storage_of<Backend, float>::stored(layout.vectors(g));
  return vectors * size * Depth;
}
// w [N, Depth]; a column of the product + unit is the row of w that a sum of the unit reads. Zeros past Width.
template <int Width, int Depth, std::derived_from<cpu> Backend, class T>
void pack_stage(Backend, const stage_body& stage, const stage_product& product, const T* w, T* packed) {
  using storage = detail::storage_of<Backend, T>;
  constexpr int size = simd::vector<T>::size;
  const detail::stage_layout layout(stage, product, Width, size);
  const int columns = layout.columns;
  const auto weight = [&](int column, int unit, int k) {
    return unit < Width ? w[std::ptrdiff_t(product.columns[column] + unit) * Depth + k] : T(0);
  };
  const auto shared_weight = [&](int place, int k) {  // in lane `place` of all shared vectors
    T total(0);
    for (int c = 0; c < columns; ++c)
      if (product.sums[c] == place / layout.slot)
        total += weight(c, layout.full * size + place % layout.slot, k);
    return total;
  };
  for (int g = 0; g < layout.groups(); ++g) {
    const int vectors = layout.vectors(g), apart = layout.members(g) * columns;
    for (int k = 0; k < Depth; ++k, packed += storage::stored(vectors) * size) {
      for (int i = 0; i < apart; ++i)
        for (int lane = 0, unit = (g * layout.group + i / columns) * size; lane < size; ++lane)
          storage::put(weight(i % columns, unit + lane, k), i, lane, packed);
      for (int i = apart; i < vectors; ++i)
        for (int lane = 0, place = layout.vector_at(i - apart) * size; lane < size; ++lane)
          storage::put(shared_weight(place + lane, k), i, lane, packed);
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

  template <int P>
  static constexpr stage_layout layout{Stage::stage, products[P], width, size};
  static constexpr bool shares = layout<0>.slot > 0;
  static constexpr int slot = layout<0>.slot, shared = (sums * slot + size - 1) / size;  // vectors
  static constexpr int full = layout<0>.full, group = layout<0>.group, groups = layout<0>.groups();
  static constexpr int before_last = full - layout<0>.members(groups - 1);  // vectors of the groups before it

  // Rows [0, Height) of the operands, Vectors vectors of units from vector `first` on, and at the end the units
  // that share vectors. One row takes a whole group, several take one vector of it.
  template <int Height, int Vectors, bool AtEnd>
  TENON_ALWAYS_INLINE TENON_FLATTEN static void block(int first, const stage_rows<T>* x, const T* packed,
                                                      const operand<const T>* loads,
                                                      const operand<T>* stores) {
    constexpr int all = Vectors + (AtEnd && shares);
    const T* const vectors_here = packed + std::ptrdiff_t(first) * packed_vectors * size;
    vector total[Height][all][sums], together[Height][AtEnd ? shared + 1 : 1];
    repeat<map::load_count>([&](auto l) TENON_ALWAYS_INLINE {
      constexpr map_load load = Stage::body.loads[l];
      if constexpr (load.sum >= 0)
        repeat<all>([&](auto v) TENON_ALWAYS_INLINE {
          vector start(0);
          if constexpr (load.packed >= 0)
            start = vector::load(vectors_here + (v * packed_vectors + load.packed) * size);
          repeat<Height>([&](auto r) TENON_ALWAYS_INLINE { total[r][v][load.sum] = start; });
        });
    });
    repeat<AtEnd ? shared * Height : 0>(
        [&](auto i) TENON_ALWAYS_INLINE { together[i / shared][i % shared] = vector(0); });
    repeat<products.size>([&](auto p) TENON_ALWAYS_INLINE {
      add_product<Height, Vectors, AtEnd, p>(x[p].data, x[p].row, x[p].packed, first, total, together);
    });
    if constexpr (AtEnd && shares)
      repeat<Height>([&](auto r) TENON_ALWAYS_INLINE {
        repeat<sums>([&](auto s) TENON_ALWAYS_INLINE {
          constexpr int place = s * slot;
          vector& sum = total[r][Vectors][s];
          sum = sum + simd::rotated<place % size>(together[r][place / size]);
        });
      });
    const auto finish = [&](int r, int v, auto lanes) TENON_ALWAYS_INLINE {
      map::features(r, (first + v) * size, lanes, vectors_here + v * packed_vectors * size, loads, stores,
                    total[r][v]);
    };
    constexpr int whole = AtEnd && in_last < size ? all - 1 : all;
    if constexpr (Height == 1 || Height * whole <= 2) {
      repeat<whole>([&](auto v) TENON_ALWAYS_INLINE { finish(0, v, simd::whole<T>{}); });
    } else {
      for (int r = 0; r < Height; ++r)
        for (int v = 0; v < whole; ++v) finish(r, v, simd::whole<T>{});
    }
    if constexpr (whole < all)
      for (int r = 0; r < Height; ++r) finish(r, whole, simd::first_lanes<T, in_last>{});
  }

  template <int Height>
  TENON_ALWAYS_INLINE static void all_units(const stage_rows<T>* x, const T* packed,
                                            const operand<const T>* loads, const operand<T>* stores) {
    constexpr bool has_end = in_last < size;
    if constexpr (Height == 1) {
      constexpr bool apart = has_end || full - before_last < group;
      for (int v = 0; v < (apart ? before_last : full); v += group)
        block<1, group, false>(v, x, packed, loads, stores);
      if constexpr (apart) block<1, full - before_last, has_end>(before_last, x, packed, loads, stores);
    } else {
      constexpr int at_end = has_end && !shares;
      for (int v = 0; v < full - at_end; ++v) block<Height, 1, false>(v, x, packed, loads, stores);
      if constexpr (has_end) block<Height, at_end, true>(full - at_end, x, packed, loads, stores);
    }
  }

 private:
  template <int P>
  static constexpr bool begins_sum(int column) {  // no column of this product before it adds to its sum
    return products[P].sums.find(products[P].sums[column]) == column;
  }
  template <int Parts, int I, class Sums>
  TENON_ALWAYS_INLINE static vector add_up(const Sums& part, int first = 0) {  // in pairs
    if constexpr (Parts == 1) return part[first][I];
    else return add_up<Parts / 2, I>(part, first) + add_up<Parts / 2, I>(part, first + Parts / 2);
  }
  template <int Height, int Vectors, bool AtEnd, int P>
  TENON_ALWAYS_INLINE static void add_product(const T* x, std::ptrdiff_t row, const T* packed, int first,
                                              vector (&total)[Height][Vectors + (AtEnd && shares)][sums],
                                              vector (&together)[Height][AtEnd ? shared + 1 : 1]) {
    constexpr stage_product product = products[P];
    constexpr stage_layout here = layout<P>;
    constexpr int columns = product.columns.size, depth = product.depth;
    constexpr int apart = Vectors * columns, beside = apart + (AtEnd ? std::popcount(here.shared) : 0);
    constexpr int count = Height * beside;
    // Vectors of weights for one feature in this group, and which of them is the first here.
    constexpr int in_group = Weights::stored(here.vectors(0)),
                  in_last_group = Weights::stored(here.vectors(groups - 1));
    const int g = first < full ? first / group : groups - 1;
    const std::ptrdiff_t next = (Height == 1      ? Weights::stored(beside)
                                 : g + 1 < groups ? in_group
                                                  : in_last_group) *
                                size;
    const T* const w = packed + (std::ptrdiff_t(g) * in_group * depth + (first - g * group) * columns) * size;
    // Few sums would wait for each other: then some features have sums of their own.
    constexpr int parts = [] {
      int n = 1;
      while (n * count < 8 && 2 * n <= depth) n *= 2;
      return n;
    }();
    // Sum i is that of vector of weights i % beside, of row i / beside.
    vector part[parts][count];
    const auto each = [&](auto f) TENON_ALWAYS_INLINE {  // f(i, the sum, does it begin it)
      repeat<count>([&](auto i) TENON_ALWAYS_INLINE {
        constexpr int r = i / beside, n = i % beside;
        if constexpr (n < apart)
          f(i, total[r][n / columns][product.sums[n % columns]],
            std::bool_constant<begins_sum<P>(n % columns)>{});
        else f(i, together[r][here.vector_at(n - apart)], std::true_type{});
      });
    };
    each([&](auto i, vector& sum, auto begins) TENON_ALWAYS_INLINE {
      part[0][i] = begins ? sum : vector(0);
      repeat<parts - 1>([&](auto n) TENON_ALWAYS_INLINE { part[n + 1][i] = vector(0); });
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
    for (; k + parts <= depth; k += parts)
      repeat<parts>([&](auto n) TENON_ALWAYS_INLINE { add_feature(part[n], k + n); });
    repeat<depth % parts>([&](auto n) TENON_ALWAYS_INLINE { add_feature(part[n], k + n); });
    each([&](auto i, vector& sum, auto begins) TENON_ALWAYS_INLINE {
      const vector mine = add_up<parts, i>(part);
      sum = begins ? mine : sum + mine;
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
