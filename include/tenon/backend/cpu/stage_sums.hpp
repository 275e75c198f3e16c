// The sums of a stage: its products for some rows and some vectors of units, in registers.
#pragma once

#include "tenon/backend/cpu/lanes.hpp"
#include "tenon/backend/cpu/stage_weights.hpp"
#include "tenon/meta/list.hpp"
#include "tenon/meta/repeat.hpp"

#include <bit>
#include <cstddef>
#include <type_traits>

namespace tenon::backend::inline TENON_INSTRUCTION_SET {

// Rows that one product of a stage reads, and its packed weights.
template <class T>
struct stage_rows {
  const T* data;
  std::ptrdiff_t row, step;
  const T* packed;
};

namespace detail {

// What is known of a stage's units and products.
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
  // Does a row that goes the other way over the groups find something in a cache? Not where the other products
  // of the phase drive all out of the first, while the second holds everything.
  static constexpr bool turns =
      Stage::stage.others <= first_cache || Stage::stage.others + all_weights > 16 * first_cache;
  // Where the first cache holds most of the weights, it goes the other way over the products of a group, too.
  static constexpr bool turns_inside = turns && groups > 1 && products.size > 1 &&
                                       all_weights > first_cache && 2 * all_weights <= 3 * first_cache;
};

// The sums of a block: Height rows, Vectors vectors of units from vector `first` on, and at the end the units
// whose sums share vectors, if they do.
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
  // In one order or the other: each product has sums of its own, so that the totals are the same.
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
  // Adds what the shared vectors hold to the sums of their units.
  TENON_ALWAYS_INLINE void add_shared() {
    if constexpr (shares)
      repeat<Height * sums>([&](auto i) TENON_ALWAYS_INLINE {
        constexpr int r = i / sums, s = i % sums, place = s * slot;
        vector& sum = apart[r][Vectors][s];
        sum = sum + simd::rotated<place % size>(together[r][place / size]);
      });
  }
  TENON_ALWAYS_INLINE void clear_shared() {
    TENON_UNROLL for (int r = 0; r < Height; ++r) {
      TENON_UNROLL for (int n = 0; n < shared; ++n) together[r][n] = vector(0);
    }
  }

 private:
  // The sums of this block that product P is part of, in the order of its weights: all those of a row, then the next.
  template <int P>
  struct parts_of_product {
    static constexpr stage_product product = products[P];
    static constexpr stage_layout layout = Shape::template layout<P>;
    static constexpr int columns = product.columns.size, depth = product.depth;
    static constexpr int own = Vectors * columns, beside = own + (AtEnd ? std::popcount(layout.shared) : 0);
    static constexpr int count = Height * beside;
    // Few sums would wait for each other: then some features have sums of their own.
    static constexpr int parts = [] {
      int n = 1;
      while (n * count < 8 && 4 * n <= depth) n *= 2;
      return n;
    }();
    struct target {
      short vector_of_units, sum;  // of those that stand apart; else -1 and the number of the shared vector
      bool begins;                 // no column of this product before it adds to this sum
    };
    static constexpr auto targets = [] {
      list<target, beside> all;
      for (int n = 0; n < own; ++n) {
        const int sum = product.sums[n % columns];
        all.add({short(n / columns), short(sum), product.sums.find(sum) == n % columns});
      }
      for (int n = own; n < beside; ++n) all.add({-1, short(layout.vector_at(n - own)), true});
      return all;
    }();
  };
  TENON_ALWAYS_INLINE vector& sum_at(int row, int vector_of_units, int sum) {
    return vector_of_units >= 0 ? apart[row][vector_of_units][sum] : together[row][sum];
  }

  TENON_ALWAYS_INLINE void clear() {
    TENON_UNROLL for (int i = 0; i < Height * all * sums; ++i) {
      apart[i / sums / all][i / sums % all][i % sums] = vector(0);
    }
    clear_shared();
  }
  template <int P>
  TENON_ALWAYS_INLINE void add(block_sums& other) {  // the sums that product P is part of
    using mine = parts_of_product<P>;
    TENON_UNROLL for (int i = 0; i < mine::count; ++i) {
      const auto to = mine::targets[i % mine::beside];
      if (!to.begins) continue;  // once is enough
      vector& sum = sum_at(i / mine::beside, to.vector_of_units, to.sum);
      sum = sum + other.sum_at(i / mine::beside, to.vector_of_units, to.sum);
    }
  }
  template <int P>
  TENON_ALWAYS_INLINE void add_product(const rows& x, int first) {
    using mine = parts_of_product<P>;
    constexpr int columns = mine::columns, depth = mine::depth, beside = mine::beside, groups = Shape::groups;
    // Vectors of weights for one feature in a group; from one feature to the next, and where the first is.
    constexpr int in_group = weights::stored(mine::layout.vectors(0)),
                  in_last_group = weights::stored(mine::layout.vectors(groups - 1));
    const int g = first < Shape::full ? first / Shape::group : groups - 1;
    const std::ptrdiff_t next = (Height == 1      ? weights::stored(beside)
                                 : g + 1 < groups ? in_group
                                                  : in_last_group) *
                                size;
    const T* const w =
        x.packed + (std::ptrdiff_t(g) * in_group * depth + (first - g * Shape::group) * columns) * size;
    vector part[mine::parts][mine::count];
    TENON_UNROLL for (int i = 0; i < mine::count; ++i) {
      const auto to = mine::targets[i % beside];
      part[0][i] = to.begins ? sum_at(i / beside, to.vector_of_units, to.sum) : vector(0);
    }
    add_features<depth>(x.data, x.row, w, next, part);
    TENON_UNROLL for (int i = 0; i < mine::count; ++i) {
      const auto to = mine::targets[i % beside];
      vector& sum = sum_at(i / beside, to.vector_of_units, to.sum);
      const vector total = add_up<mine::parts>(part, i);
      sum = to.begins ? total : sum + total;
    }
  }
  // Adds x[k] times the weights of feature k, in turn to one part after the other. All parts but the first
  // begin here.
  template <int Depth, int Parts, int Count>
  TENON_ALWAYS_INLINE static void add_features(const T* x, std::ptrdiff_t row, const T* w,
                                               std::ptrdiff_t next, vector (&part)[Parts][Count]) {
    constexpr int beside = Count / Height;
    const auto add_to = [&](vector* sums_of, int k, bool begins) TENON_ALWAYS_INLINE {
      vector right[beside];
      TENON_UNROLL for (int i = 0; i < beside; ++i) {
        right[i] = weights::template load<vector>(w + k * next, i);
        if constexpr (Height > 1) right[i] = kept_in_register(right[i]);
      }
      TENON_UNROLL for (int r = 0; r < Height; ++r) {  // row after row: g++ keeps the order of what it loads
        const vector left(x[r * row + k]);
        TENON_UNROLL for (int i = 0; i < beside; ++i) {
          vector& sum = sums_of[r * beside + i];
          sum = begins ? left * right[i] : fma(left, right[i], sum);
        }
      }
    };
    const auto add_to_all = [&](int k, bool begin) TENON_ALWAYS_INLINE {
      TENON_UNROLL for (int n = 0; n < Parts; ++n) add_to(part[n], k + n, n > 0 && begin);
    };
    constexpr int begun = Parts > 1 ? Parts : 0;
    if constexpr (begun > 0) add_to_all(0, true);
    constexpr int written_out = 64;  // multiply-adds of vectors
    if constexpr (Height == 1 && Depth * Count <= written_out) {
      TENON_UNROLL for (int k = begun; k + Parts <= Depth; k += Parts) add_to_all(k, false);
    } else {
      for (int k = begun; k + Parts <= Depth; k += Parts) add_to_all(k, false);
    }
    for (int k = Depth - Depth % Parts; k < Depth; ++k) add_to(part[0], k, false);
  }
  // The sum of all parts, in pairs.
  template <int Parts, int Count>
  TENON_ALWAYS_INLINE static vector add_up(const vector (*part)[Count], int i) {
    if constexpr (Parts == 1) return part[0][i];
    else return add_up<Parts / 2>(part, i) + add_up<Parts / 2>(part + Parts / 2, i);
  }
};

}  // namespace detail

}  // namespace tenon::backend::inline TENON_INSTRUCTION_SET
