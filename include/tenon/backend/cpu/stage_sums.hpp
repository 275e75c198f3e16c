// The sums of a stage: its products for some rows and some vectors of units, in registers.
#pragma once

#include "tenon/backend/cpu/lanes.hpp"
#include "tenon/backend/cpu/stage_weights.hpp"
#include "tenon/meta/repeat.hpp"

#include <bit>
#include <cstddef>
#include <type_traits>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

namespace detail {

// Sizes and orders that follow from a stage's units and products.
template <class Stage, class T, class Backend>
struct stage_shape {
  static constexpr int width = Stage::body.width;
  using vector = stage_vector<width, T>;
  using weights = storage_of<Backend, T>;
  static constexpr const auto& products = Stage::stage.products;
  static constexpr int sums = Stage::stage.sums, packed_vectors = Stage::stage.packed;

  static constexpr int size = vector::size;
  static constexpr int vectors = (width + size - 1) / size, in_last = width - (vectors - 1) * size;
  template <int P>
  static constexpr stage_layout layout{Stage::stage, products[P], width, size};
  static constexpr int full = layout<0>.full, group = layout<0>.group, groups = layout<0>.groups();
  static constexpr int before_last = full - layout<0>.members(groups - 1);  // vectors of the groups before it
  static constexpr bool shares = layout<0>.slot > 0;
  static constexpr int slot = layout<0>.slot, shared = (sums * slot + size - 1) / size;  // vectors

  static constexpr long first_cache = cached_vectors * simd::widest<T>;  // numbers
  static constexpr long all_weights = [] {
    long all = 0;
    for (const stage_product& p : products) all += long(p.columns.size) * p.depth * width;
    return all;
  }();
  // Weights that fit in no second cache are slow to read: then all rows process one group of units before the next group.
  static constexpr bool streams = all_weights > 16 * first_cache&& groups > 1;
  // Does a row that goes over the groups in the opposite order find weights in a nearer cache? Not if the other
  // products of the phase evict everything from the first cache while the second cache holds everything.
  static constexpr bool turns =
      Stage::stage.others <= first_cache || Stage::stage.others + all_weights > 16 * first_cache;
  // If the first cache holds most of the weights, the order of the products within a group alternates, too.
  static constexpr bool turns_inside = turns && groups > 1 && products.size > 1 &&
                                       all_weights > first_cache && 2 * all_weights <= 3 * first_cache &&
                                       !simd::adds_in_one_order;
};

// The sums of a block: Height rows, `Vectors` vectors of units from vector `first` on, and at the end the units
// whose sums share vectors, if there are any.
template <class Shape, int Height, int Vectors, bool AtEnd>
struct block_sums {
  using vector = typename Shape::vector;
  using T = simd::number_of<vector>;
  using weights = typename Shape::weights;
  using rows = stage_rows<T>;
  static constexpr const auto& products = Shape::products;
  static constexpr int sums = Shape::sums, size = Shape::size, slot = Shape::slot;
  static constexpr bool shares = AtEnd && Shape::shares;
  static constexpr int all = Vectors + shares, shared = shares ? Shape::shared : 0;

  vector apart[Height][all][sums], together[Height][shared + 1];

  TENON_ALWAYS_INLINE void add_products(const rows* x, int first) {
    repeat<products.size>([&](auto p) TENON_ALWAYS_INLINE { add_product<p>(x[p], first); });
  }
  // Forwards or backwards: each product has separate sums, so that the totals are the same.
  TENON_ALWAYS_INLINE void add_products_in_turn(const rows* x, int first, bool backwards) {
    block_sums of[products.size];
    const auto multiply = [&](auto p) TENON_ALWAYS_INLINE {
      of[p].clear();
      of[p].template add_product<p>(x[p], first);
    };
    if (backwards)
      repeat<products.size>([&](auto p) TENON_ALWAYS_INLINE {
        multiply(std::integral_constant<int, products.size - 1 - p>{});
      });
    else repeat<products.size>(multiply);
    repeat<products.size>([&](auto p) TENON_ALWAYS_INLINE { add<p>(of[p]); });
  }
  // Adds the sums in the shared vectors to the sums of their units.
  TENON_ALWAYS_INLINE void add_shared() {
    if constexpr (shares)
      repeat<Height * sums>([&](auto i) TENON_ALWAYS_INLINE {
        constexpr int r = i / sums, s = i % sums, place = s * slot;
        vector& sum = apart[r][Vectors][s];
        sum = sum + simd::rotated<place % size>(together[r][place / size]);
      });
  }
  TENON_ALWAYS_INLINE void clear_shared() {
    if constexpr (shared > 0)
      repeat<Height * shared>([&](int i)
                                  TENON_ALWAYS_INLINE { together[i / shared][i % shared] = vector(0); });
  }

 private:
  TENON_ALWAYS_INLINE void clear() {
    repeat<Height * all * sums>(
        [&](int i) TENON_ALWAYS_INLINE { apart[i / sums / all][i / sums % all][i % sums] = vector(0); });
    clear_shared();
  }
  template <int P>
  TENON_ALWAYS_INLINE void add(const block_sums& other) {  // the sums that product P is part of
    repeat<Height * all * sums>([&](auto i) TENON_ALWAYS_INLINE {
      constexpr int r = i / sums / all, v = i / sums % all, s = i % sums;
      if constexpr (products[P].sums.find(s) >= 0) apart[r][v][s] = apart[r][v][s] + other.apart[r][v][s];
    });
    repeat<Height * shared>([&](auto i) TENON_ALWAYS_INLINE {
      constexpr int r = i / shared, n = i % shared;
      if constexpr ((Shape::template layout<P>.shared >> n & 1) != 0)
        together[r][n] = together[r][n] + other.together[r][n];
    });
  }
  template <int P>
  static constexpr bool begins_sum(int column) {  // no column of this product before it adds to its sum
    return products[P].sums.find(products[P].sums[column]) == column;
  }
  template <int P>
  TENON_ALWAYS_INLINE void add_product(const rows& x, int first) {
    constexpr stage_product product = products[P];
    constexpr stage_layout here = Shape::template layout<P>;
    constexpr int columns = product.columns.size, depth = product.depth, groups = Shape::groups;
    constexpr int own = Vectors * columns, beside = own + (AtEnd ? std::popcount(here.shared) : 0);
    constexpr int count = Height * beside;
    // Vectors of weights for one feature in a group; the distance from one feature to the next; the first feature.
    constexpr int in_group = weights::stored(here.vectors(0)),
                  in_last_group = weights::stored(here.vectors(groups - 1));
    const int g = first < Shape::full ? first / Shape::group : groups - 1;
    const std::ptrdiff_t next = (Height == 1      ? weights::stored(beside)
                                 : g + 1 < groups ? in_group
                                                  : in_last_group) *
                                size;
    const T* const w =
        x.packed + (std::ptrdiff_t(g) * in_group * depth + (first - g * Shape::group) * columns) * size;
    // With few sums, each addition would wait for the one before: then groups of features have separate sums.
    constexpr int parts = [] {
      int n = 1;
      while (n * count < 8 && 4 * n <= depth && !simd::adds_in_one_order) n *= 2;
      return n;
    }();
    // Sum i belongs to vector of weights i % beside and to row i / beside.
    vector part[parts][count];
    repeat<count>([&](auto i) TENON_ALWAYS_INLINE {
      constexpr int r = i / beside, n = i % beside;
      if constexpr (n >= own) part[0][i] = together[r][here.vector_at(n - own)];
      else if constexpr (begins_sum<P>(n % columns))
        part[0][i] = apart[r][n / columns][product.sums[n % columns]];
      else part[0][i] = vector(0);
    });
    add_features<depth>(x.data, x.row, w, next, part);
    repeat<count>([&](auto i) TENON_ALWAYS_INLINE {
      constexpr int r = i / beside, n = i % beside;
      const vector mine = add_up<parts>(part, i);
      if constexpr (n >= own) {
        together[r][here.vector_at(n - own)] = mine;
      } else {
        vector& sum = apart[r][n / columns][product.sums[n % columns]];
        if constexpr (begins_sum<P>(n % columns)) sum = mine;
        else sum = sum + mine;
      }
    });
  }
  // Adds x[k] times the weights of feature k, to each of the parts in turn. All parts except the first are
  // initialized here.
  template <int Depth, int Parts, int Count>
  TENON_ALWAYS_INLINE static void add_features(const T* x, std::ptrdiff_t row, const T* w,
                                               std::ptrdiff_t next, vector (&part)[Parts][Count]) {
    constexpr int beside = Count / Height;
    const auto add_to = [&](vector* sums_of, int k, auto begins) TENON_ALWAYS_INLINE {
      vector right[beside];
      repeat<beside>([&](auto i) TENON_ALWAYS_INLINE {
        right[i] = weights::template load<i, vector>(w + k * next);
        if constexpr (Height > 1) right[i] = kept_in_register(right[i]);
      });
      vector left;
      repeat<Count>([&](int i) TENON_ALWAYS_INLINE {  // row after row: g++ keeps the order of what it loads
        if (i % beside == 0) left = vector(x[i / beside * row + k]);
        if constexpr (begins) sums_of[i] = left * right[i % beside];
        else sums_of[i] = fma(left, right[i % beside], sums_of[i]);
      });
    };
    const auto add_to_all = [&](int k, auto begin) TENON_ALWAYS_INLINE {
      add_to(part[0], k, std::false_type{});
      repeat<Parts - 1>([&](int n) TENON_ALWAYS_INLINE { add_to(part[n + 1], k + n + 1, begin); });
    };
    constexpr int begun = Parts > 1 ? Parts : 0;
    if constexpr (begun > 0) add_to_all(0, std::true_type{});
    constexpr int written_out = 64;  // multiply-adds of vectors
    if constexpr (Height == 1 && Depth * Count <= written_out)
      repeat<(Depth - begun) / Parts>(
          [&](int n) TENON_ALWAYS_INLINE { add_to_all(begun + n * Parts, std::false_type{}); });
    else
      for (int k = begun; k + Parts <= Depth; k += Parts) add_to_all(k, std::false_type{});
    for (int k = Depth - Depth % Parts; k < Depth; ++k) add_to(part[0], k, std::false_type{});
  }
  template <int Parts, class Sums>
  TENON_ALWAYS_INLINE static vector add_up(const Sums& part, int i, int first = 0) {  // in pairs
    if constexpr (Parts == 1) return part[first][i];
    else return add_up<Parts / 2>(part, i, first) + add_up<Parts / 2>(part, i, first + Parts / 2);
  }
};

}  // namespace detail

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
