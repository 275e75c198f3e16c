// The weights of a stage: how they are stored and packed, in the order in which its kernel reads them.
#pragma once

#include "tenon/backend/cpu/product.hpp"
#include "tenon/program/kernel.hpp"
#include "tenon/tensor/bfloat16.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

namespace detail {

// How the vectors of weights for one feature are stored. All of them are in `stored(count)` vectors.
struct whole_weights {
  static constexpr int stored(int count) { return count; }
  template <int I, simd::any_vector V, class T>
  TENON_ALWAYS_INLINE static V load(const T* from) {
    return V::load(from + I * V::size);
  }
  template <simd::any_vector V, class T>
  static void put(T weight, int i, int lane, T* to) {
    to[i * V::size + lane] = weight;
  }
};
// Two weights share the 32 bits of each lane; the first is in the lower half.
struct bfloat16_pairs {
  static constexpr int stored(int count) { return (count + 1) / 2; }
  template <int I, simd::any_vector V>
  TENON_ALWAYS_INLINE static V load(const float* from) {
    return simd::bfloat16_half<I % 2>(V::load(from + I / 2 * V::size));
  }
  template <simd::any_vector V>
  static void put(float weight, int i, int lane, float* to) {
    const std::uint32_t bits = tenon::detail::bfloat16(weight).bits;
    std::uint32_t pair;
    std::memcpy(&pair, to + i / 2 * V::size + lane, sizeof pair);
    pair = i % 2 == 0 ? bits : bits << 16 | (pair & 0xffff);
    std::memcpy(to + i / 2 * V::size + lane, &pair, sizeof pair);
  }
};

template <class Backend, class T>
using storage_of = std::conditional_t<trades<Backend, bfloat16_weights> && std::is_same_v<T, float>,
                                      bfloat16_pairs, whole_weights>;

// How many of the widest vectors of weights fit in the first cache.
inline constexpr int cached_vectors = 32 * 1024 / (simd::widest<float> * int(sizeof(float)));

// The vectors that a stage of `Width` units computes with.
template <int Width, class T>
using stage_vector = simd::vector<T, simd::lanes_for<T>(Width)>;

// How many vectors of units keep their weights together, so that a row reads memory as one stream. If a step runs
// one row in serpentine order, the next step finds in the cache the weights that one group and the other products
// left there: then small groups are better, if only they fit.
constexpr int stage_group(const stage_view& stage, int lanes) {
  int most = 1, weights = 0;  // columns of a product; vectors of weights for one of units
  for (const stage_product& p : stage.products) {
    most = p.columns.size > most ? p.columns.size : most;
    weights += p.columns.size * p.depth;
  }
  if (most < 3) return 4;
  const bool several = stage.one_row && stage.body.width > lanes;
  const bool one_stays = weights + stage.others / lanes <= cached_vectors,
             two_stay = 2 * weights < cached_vectors;
  return most >= 5 || (several && one_stays && !two_stay) ? 1 : 2;
}

// Where the weights of a product are: whole vectors of units, several of them together as a group, with the
// weights of all columns side by side. If the last units would fill half a vector or less, their sums share
// vectors, with `slot` lanes for each: 4 sums of 1 unit are one vector instead of four. These vectors are beside
// the last group.
struct stage_layout {
  int width, size;      // units; lanes of a vector
  int group, columns;   // vectors of units together; sums of a unit that the product is part of
  int slot = 0;         // 0: nothing is shared
  int full = 0;         // vectors of units
  unsigned shared = 0;  // a bit for each shared vector that the product is part of

  constexpr stage_layout(const stage_view& stage, const stage_product& product, int units, int lanes)
      : width(units), size(lanes), group(stage_group(stage, lanes)), columns(product.columns.size) {
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
  // The number of the product's n-th shared vector.
  constexpr int vector_at(int n) const {
    int v = 0;
    while ((shared >> v & 1) == 0 || n-- > 0) ++v;
    return v;
  }
};

}  // namespace detail

// The size of the weights of a product, [groups][depth][vectors of the group][lanes], for float or double.
template <int Width, int Depth, std::derived_from<cpu> Backend>
constexpr int packed_stage_size(Backend, const stage_view& stage, const stage_product& product) {
  const auto numbers = [&](int lanes, auto stored) {
    const detail::stage_layout layout(stage, product, Width, lanes);
    int vectors = 0;
    for (int g = 0; g < layout.groups(); ++g) vectors += stored(layout.vectors(g));
    return vectors * lanes * Depth;
  };
  const int in_float = numbers(detail::stage_vector<Width, float>::size,
                               [](int n) { return detail::storage_of<Backend, float>::stored(n); });
  const int in_double = numbers(detail::stage_vector<Width, double>::size, [](int n) { return n; });
  return trades<Backend, bfloat16_weights> || in_float > in_double ? in_float : in_double;
}
// Where the weights of a product are for vectors of T.
template <int Width, class T, std::derived_from<cpu> Backend>
constexpr detail::stage_layout layout_of_stage(Backend, const stage_view& stage,
                                               const stage_product& product) {
  return {stage, product, Width, detail::stage_vector<Width, T>::size};
}
// w [N, Depth]; the row of w that a sum of a unit reads is a column of the product + unit. Zeros past
// Width.
template <int Width, int Depth, std::derived_from<cpu> Backend, class T>
void pack_stage(Backend, const detail::stage_layout& layout, const stage_product& product, const T* w,
                T* packed) {
  using storage = detail::storage_of<Backend, T>;
  using V = detail::stage_vector<Width, T>;
  constexpr int size = V::size;
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
    const int next = storage::stored(vectors) * size;  // from one feature to the next
    for (int i = 0; i < vectors; ++i) {
      const int unit = (g * layout.group + i / columns) * size;
      if constexpr (std::is_same_v<storage, detail::whole_weights>)
        if (i < apart) {
          const T* const first = w + std::ptrdiff_t(product.columns[i % columns] + unit) * Depth;
          simd::pack_columns<V>(Width - unit, Depth, first, Depth, packed + i * size, next);
          continue;
        }
      for (int k = 0; k < Depth; ++k)
        for (int lane = 0; lane < size; ++lane)
          storage::template put<V>(i < apart ? weight(i % columns, unit + lane, k)
                                             : shared_weight(layout.vector_at(i - apart) * size + lane, k),
                                   i, lane, packed + std::ptrdiff_t(k) * next);
    }
    packed += std::ptrdiff_t(next) * Depth;
  }
}

// The size of `count` vectors of a stage, [vectors][count][lanes].
template <int Width>
constexpr int packed_vectors_size(cpu, int count) {
  return detail::padded_to_vectors<Width, float> * count;
}
// Adds b to vector `number` of `count`, [vectors][count][lanes].
template <int Width, class T>
void add_stage_vector(cpu, int count, int number, const T* b, T* packed) {
  constexpr int size = detail::stage_vector<Width, T>::size;
  for (int unit = 0; unit < Width; ++unit)
    packed[(unit / size * count + number) * size + unit % size] += b[unit];
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
