// stage: products and the map that alone reads them, a vector of units at a time. The weights of all sums of
// a unit stand side by side, the sums stay in registers, and what the map writes goes to memory once.
#pragma once

#include "tenon/backend/cpu/lanes.hpp"
#include "tenon/backend/cpu/map.hpp"
#include "tenon/backend/cpu/stage_weights.hpp"

#include <bit>
#include <concepts>

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
  return {.sums = 16, .weights = rows == 1 ? 1 << 20 : detail::cached_vectors, .one_row = rows == 1};
}

// Weights are rounded where they are read once for each row; several rows share them, and there is no stage.
template <class... Trades>
constexpr stage_limits limits_of_stages(cpu_with<Trades...> on, int rows) {
  const bool rounds = trades<decltype(on), bfloat16_weights>;
  return rows == 1 || !rounds ? limits_of_stages(cpu{}, rows) : stage_limits{};
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
    int rows = 8;
    while (rows > 1 && rows * sums + sums + 1 > simd::registers) rows /= 2;
    return rows;
  }();

  template <int P>
  static constexpr stage_layout layout{Stage::stage, products[P], width, size};
  static constexpr int vectors_together =  // of units, where their sums are few
      layout<0>.group % 2 == 0 && rows_together * 2 * sums + 2 * sums + 1 <= simd::registers ? 2 : 1;

  static constexpr bool shares = layout<0>.slot > 0;
  static constexpr int slot = layout<0>.slot, shared = (sums * slot + size - 1) / size;  // vectors
  static constexpr int full = layout<0>.full, group = layout<0>.group, groups = layout<0>.groups();
  static constexpr int before_last = full - layout<0>.members(groups - 1);  // vectors of the groups before it

  static constexpr long first_cache = cached_vectors * size;  // numbers
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

  // Rows [0, Height) of the operands, Vectors vectors of units from vector `first` on, and at the end the
  // units that share vectors. One row takes a whole group, several take vectors_together of it.
  template <int Height, int Vectors, bool AtEnd>
  TENON_ALWAYS_INLINE TENON_FLATTEN static void block(int first, const stage_rows<T>* x, const T* packed,
                                                      const operand<const T>* loads, const operand<T>* stores,
                                                      [[maybe_unused]] bool backwards = false) {
    constexpr int all = Vectors + (AtEnd && shares);
    const T* const vectors_here = packed + std::ptrdiff_t(first) * packed_vectors * size;
    vector total[Height][all][sums], together[Height][AtEnd ? shared + 1 : 1];
    repeat<map::load_count>([&](auto l) TENON_ALWAYS_INLINE {
      static constexpr map_load load = Stage::body.loads[l];  // static: else nvcc 13 captures it
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
    if constexpr (Height == 1 && turns_inside)
      add_products_in_turn<Vectors, AtEnd>(x, first, backwards, total, together);
    else
      repeat<products.size>([&](auto p) TENON_ALWAYS_INLINE {
        add_product<Height, Vectors, AtEnd, p>(x[p], first, total, together);
      });
    if constexpr (AtEnd && shares)
      repeat<Height>([&](auto r) TENON_ALWAYS_INLINE {
        repeat<sums>([&](auto s) TENON_ALWAYS_INLINE {
          constexpr int place = s * slot;
          vector& sum = total[r][Vectors][s];
          sum = sum + simd::rotated<place % size>(together[r][place / size]);
        });
      });
    const auto vector_of = [&](int r, int v) TENON_ALWAYS_INLINE {
      return typename map::vector_of_row{r, (first + v) * size, vectors_here + v * packed_vectors * size,
                                         total[r][v]};
    };
    // One row waits for its exponentials: those of several vectors overlap. Several rows overlap anyway.
    constexpr int maps_together = Height == 1 ? 4 : 1;
    // Written out: in a loop, sums and addresses would go through memory.
    const auto finish = [&](auto count, auto lanes, auto vector_at) TENON_ALWAYS_INLINE {
      repeat<(count + maps_together - 1) / maps_together>([&](auto n) TENON_ALWAYS_INLINE {
        constexpr int begin = n * maps_together, left = count - begin;
        constexpr int some = left < maps_together ? left : maps_together;
        if constexpr (some == 1) map::template evaluate_vectors<1>({vector_at(begin)}, lanes, loads, stores);
        else [&]<int... I>(std::integer_sequence<int, I...>) TENON_ALWAYS_INLINE {
            map::template evaluate_vectors<some>({vector_at(begin + I)...}, lanes, loads, stores);
          }
        (std::make_integer_sequence<int, some>{});
      });
    };
    constexpr int whole = AtEnd && in_last < size ? all - 1 : all;
    if constexpr (whole > 0)
      finish(std::integral_constant<int, Height * whole>{}, simd::whole<T>{},
             [&](int i) TENON_ALWAYS_INLINE { return vector_of(i / whole, i % whole); });
    if constexpr (whole < all)
      finish(std::integral_constant<int, Height>{}, simd::first_lanes<T, in_last>{},
             [&](int r) TENON_ALWAYS_INLINE { return vector_of(r, whole); });
  }

  template <int Height>
  TENON_ALWAYS_INLINE static void all_units(const stage_rows<T>* x, const T* packed,
                                            const operand<const T>* loads, const operand<T>* stores,
                                            [[maybe_unused]] bool backwards) {
    constexpr bool has_end = in_last < size;
    if constexpr (Height == 1) {
      constexpr bool apart = has_end || full - before_last < group;  // the last group
      const auto some = [&](int g) TENON_ALWAYS_INLINE {
        if constexpr (apart)
          if (groups == 1 || g == groups - 1)
            return block<1, full - before_last, has_end>(before_last, x, packed, loads, stores, backwards);
        if constexpr (!apart || groups > 1)
          block<1, group, false>(g * group, x, packed, loads, stores, backwards);
      };
      if constexpr (groups == 1) some(0);
      else
        for (int n = 0; n < groups; ++n) some(backwards ? groups - 1 - n : n);
    } else {
      constexpr int at_end = has_end && !shares;
      constexpr int whole = full - at_end;
      if constexpr (whole >= vectors_together)
        for (int v = 0; v + vectors_together <= whole; v += vectors_together)
          block_apart<Height, vectors_together, false>(v, x, packed, loads, stores);
      if constexpr (whole % vectors_together > 0)
        block_apart<Height, 1, false>(whole - 1, x, packed, loads, stores);
      if constexpr (has_end) block_apart<Height, at_end, true>(whole, x, packed, loads, stores);
    }
  }

 private:
  // A function of its own: constants of the map, kept for the next block, would take registers from sums.
  template <int Height, int Vectors, bool AtEnd>
  [[gnu::noinline]] TENON_FLATTEN static void block_apart(int first, const stage_rows<T>* x, const T* packed,
                                                          const operand<const T>* loads,
                                                          const operand<T>* stores) {
    block<Height, Vectors, AtEnd>(first, x, packed, loads, stores);
  }
  template <int P>
  static constexpr bool begins_sum(int column) {  // no column of this product before it adds to its sum
    return products[P].sums.find(products[P].sums[column]) == column;
  }
  template <int Parts, int I, class Sums>
  TENON_ALWAYS_INLINE static vector add_up(const Sums& part, int first = 0) {  // in pairs
    if constexpr (Parts == 1) return part[first][I];
    else return add_up<Parts / 2, I>(part, first) + add_up<Parts / 2, I>(part, first + Parts / 2);
  }
  // Adds x[k] times the weights of feature k, in turn to one part after the other. All parts but the first
  // begin here.
  template <int Height, int Depth, int Parts, int Count>
  TENON_ALWAYS_INLINE static void add_features(const T* x, std::ptrdiff_t row, const T* weights,
                                               std::ptrdiff_t next, vector (&part)[Parts][Count]) {
    constexpr int beside = Count / Height;
    const auto add_to = [&](vector* sums_of, int k, auto begins) TENON_ALWAYS_INLINE {
      vector right[beside];
      repeat<beside>([&](auto i) TENON_ALWAYS_INLINE {
        right[i] = Weights::template load<i>(weights + k * next);
        if constexpr (Height > 1) right[i] = kept_in_register(right[i]);
      });
      vector left;
      repeat<Count>([&](auto i) TENON_ALWAYS_INLINE {  // row after row: g++ keeps the order of what it loads
        if constexpr (i % beside == 0) left = vector(x[i / beside * row + k]);
        if constexpr (begins) sums_of[i] = left * right[i % beside];
        else sums_of[i] = fma(left, right[i % beside], sums_of[i]);
      });
    };
    const auto add_to_all = [&](int k, auto begin) TENON_ALWAYS_INLINE {
      add_to(part[0], k, std::false_type{});
      repeat<Parts - 1>([&](auto n) TENON_ALWAYS_INLINE { add_to(part[n + 1], k + n + 1, begin); });
    };
    constexpr int begun = Parts > 1 ? Parts : 0;
    if constexpr (begun > 0) add_to_all(0, std::true_type{});
    constexpr int written_out = 64;  // multiply-adds of vectors
    if constexpr (Height == 1 && Depth * Count <= written_out)
      repeat<(Depth - begun) / Parts>(
          [&](auto n) TENON_ALWAYS_INLINE { add_to_all(begun + n * Parts, std::false_type{}); });
    else
      for (int k = begun; k + Parts <= Depth; k += Parts) add_to_all(k, std::false_type{});
    for (int k = Depth - Depth % Parts; k < Depth; ++k) add_to(part[0], k, std::false_type{});
  }
  template <int Height, int Vectors, bool AtEnd, int P>
  TENON_ALWAYS_INLINE static void add_product(const stage_rows<T>& x, int first,
                                              vector (&total)[Height][Vectors + (AtEnd && shares)][sums],
                                              vector (&together)[Height][AtEnd ? shared + 1 : 1]) {
    constexpr stage_product product = products[P];
    constexpr stage_layout here = layout<P>;
    constexpr int columns = product.columns.size, depth = product.depth;
    constexpr int apart = Vectors * columns, beside = apart + (AtEnd ? std::popcount(here.shared) : 0);
    constexpr int count = Height * beside;
    // Vectors of weights for one feature in a group; from one feature to the next, and where the first is.
    constexpr int in_group = Weights::stored(here.vectors(0)),
                  in_last_group = Weights::stored(here.vectors(groups - 1));
    const int g = first < full ? first / group : groups - 1;
    const std::ptrdiff_t next = (Height == 1      ? Weights::stored(beside)
                                 : g + 1 < groups ? in_group
                                                  : in_last_group) *
                                size;
    const T* const w =
        x.packed + (std::ptrdiff_t(g) * in_group * depth + (first - g * group) * columns) * size;
    // Few sums would wait for each other: then some features have sums of their own.
    constexpr int parts = [] {
      int n = 1;
      while (n * count < 8 && 4 * n <= depth) n *= 2;
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
    each([&](auto i, vector& sum, auto begins)
             TENON_ALWAYS_INLINE { part[0][i] = begins ? sum : vector(0); });
    add_features<Height, depth>(x.data, x.row, w, next, part);
    each([&](auto i, vector& sum, auto begins) TENON_ALWAYS_INLINE {
      const vector mine = add_up<parts, i>(part);
      sum = begins ? mine : sum + mine;
    });
  }
  // All products of one row, in one order or the other: each has sums of its own, so that the totals are the
  // same.
  template <int Vectors, bool AtEnd, int All, int Shared>
  TENON_ALWAYS_INLINE static void add_products_in_turn(const stage_rows<T>* x, int first, bool backwards,
                                                       vector (&total)[1][All][sums],
                                                       vector (&together)[1][Shared]) {
    constexpr int count = products.size;
    vector sum_of[count][1][All][sums], shared_sum[count][1][Shared];
    const auto multiply = [&](auto p) TENON_ALWAYS_INLINE {
      repeat<All * sums>([&](auto i) TENON_ALWAYS_INLINE { sum_of[p][0][i / sums][i % sums] = vector(0); });
      repeat<Shared>([&](auto i) TENON_ALWAYS_INLINE { shared_sum[p][0][i] = vector(0); });
      add_product<1, Vectors, AtEnd, p>(x[p], first, sum_of[p], shared_sum[p]);
    };
    if (backwards)
      repeat<count>([&](auto p)
                        TENON_ALWAYS_INLINE { multiply(std::integral_constant<int, count - 1 - p>{}); });
    else repeat<count>(multiply);
    repeat<count>([&](auto p) TENON_ALWAYS_INLINE {
      repeat<All * sums>([&](auto i) TENON_ALWAYS_INLINE {
        constexpr int v = i / sums, s = i % sums;
        if constexpr (products[p].sums.find(s) >= 0) total[0][v][s] = total[0][v][s] + sum_of[p][0][v][s];
      });
      repeat<Shared>([&](auto i) TENON_ALWAYS_INLINE {
        if constexpr (AtEnd && (layout<p>.shared >> i & 1) != 0)
          together[0][i] = together[0][i] + shared_sum[p][0][i];
      });
    });
  }
};

}  // namespace detail

// For every row: the sums of its products, then the map. x[p] are the rows of product p, `packed` the vectors
// among the loads. A row that goes backwards over the groups of units begins with the weights that a row
// before it read last, which the cache still holds; its sums are the same. All of it is inlined where it is
// used: what the operands are then stays in registers, while writing it to memory and reading it again took a
// tenth of a small step.
template <class Stage, std::derived_from<cpu> Backend, class T>
TENON_ALWAYS_INLINE inline void stage(Backend, int steps, int rows, const stage_rows<T>* x, const T* packed,
                                      const operand<const T>* loads, const operand<T>* stores,
                                      bool backwards) {
  using kernel = detail::vector_stage<Stage, T, Backend>;
  using map = typename kernel::map;
  constexpr bool one_by_one = Stage::stage.one_row || trades<Backend, bfloat16_weights>;
  constexpr int together = one_by_one ? 1 : kernel::rows_together;
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
    kernel::template all_units<Height>(x_here, packed, loads_here, stores_here, kernel::turns && backwards);
    backwards = !backwards;
  };
  for (int t = 0; t < steps; ++t) {
    int r = 0;
    if constexpr (together > 1)
      for (; r + together <= rows; r += together) some.template operator()<together>(t, r);
    for (; r < rows; ++r) some.template operator()<1>(t, r);
  }
}

}  // namespace tenon::backend
