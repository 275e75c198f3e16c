// Maps whose rows use the same operands at every time step: each row goes through all steps before the next row, and
// these operands and the sums over steps stay in registers meanwhile.
#pragma once

#include "tenon/backend/cpu/math.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/meta/repeat.hpp"
#include "tenon/program/kernel.hpp"
#include "tenon/program/primitives.hpp"

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::detail {

// The maximum or the sum of no features.
template <class T>
constexpr T nothing_yet(opcode reduction) {
  return reduction == opcode::row_max ? -std::numeric_limits<T>::infinity() : T(0);
}

// Does a map compute the sum or the maximum of its features? Does an operand have one number for all features?
template <class Kernel>
constexpr bool reduces = [] {
  for (const map_store& s : Kernel::body.stores)
    if (s.reduction != opcode::copy) return true;
  return false;
}();
template <class Kernel>
constexpr bool broadcasts = [] {
  for (const map_load& l : Kernel::body.loads)
    if (l.broadcast) return true;
  return false;
}();

// How much a map keeps, reads and computes for each row.
template <class Kernel, class T>
struct row_traits {
  static constexpr const auto& body = Kernel::body;
  static constexpr int size = simd::vector<T>::size;
  static constexpr int full = body.width / size, rest = body.width % size, vectors = full + (rest > 0);

  static constexpr bool is_held(int load) {
    return body.loads[load].invariant && !body.loads[load].broadcast;
  }
  static constexpr int held = [] {  // operands and sums that stay in registers, by vector of the row
    int n = 0;
    for (int l = 0; l < body.loads.size; ++l) n += is_held(l);
    for (const map_store& s : body.stores) n += s.over_steps;
    return n;
  }();
  static constexpr bool reduces = detail::reduces<Kernel>, broadcasts = detail::broadcasts<Kernel>;
  static constexpr bool sums_over_steps = [] {
    for (const map_store& s : body.stores)
      if (s.over_steps) return true;
    return false;
  }();
  static constexpr int operations = [] {
    int n = 0;
    for (const instruction& i : body.code) n += is_elementwise(i.code) ? cost(i.code) : 0;
    return n;
  }();
};

inline constexpr int registers_to_hold = simd::registers * 5 / 8;

// `Count` vectors of one row of a map from feature j on, which go through the steps. Last: the lanes of the last
// vector.
template <class Kernel, class T, template <opcode> class Function, int Count, class Last>
class row_through_steps {
  using traits = row_traits<Kernel, T>;
  using vector = simd::vector<T>;
  static constexpr const auto& body = Kernel::body;
  static constexpr int load_count = body.loads.size, store_count = body.stores.size;

  const operand<const T>* loads;
  const operand<T>* stores;
  Last last;
  const T* from[load_count + 1];
  T* to[store_count + 1];
  vector kept[load_count + 1][Count], sums[store_count + 1][Count];

 public:
  TENON_ALWAYS_INLINE row_through_steps(const operand<const T>* sources, const operand<T>* targets,
                                        Last lanes)
      : loads(sources), stores(targets), last(lanes) {}

  TENON_ALWAYS_INLINE void begin(int r, int j) {
    repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
      from[l] = loads[l].data + r * loads[l].row + (body.loads[l].broadcast ? 0 : j);
      if constexpr (traits::is_held(l))
        each([&](int v, auto lanes)
                 TENON_ALWAYS_INLINE { kept[l][v] = lanes.load(from[l] + v * vector::size); });
    });
    repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
      to[s] = stores[s].data + r * stores[s].row + (body.stores[s].reduction == opcode::copy ? j : 0);
      if constexpr (body.stores[s].over_steps)
        each([&](int v, auto lanes)
                 TENON_ALWAYS_INLINE { sums[s][v] = lanes.load(to[s] + v * vector::size); });
    });
  }
  TENON_ALWAYS_INLINE void step() {
    vector loaded[load_count + 1], local[body.code.size + 1], reduced[store_count + 1];
    if constexpr (traits::broadcasts)
      repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
        if constexpr (body.loads[l].broadcast) loaded[l] = vector(*from[l]);
      });
    if constexpr (traits::reduces)
      repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
        constexpr opcode reduction = body.stores[s].reduction;
        if constexpr (reduction != opcode::copy) reduced[s] = vector(nothing_yet<T>(reduction));
      });
    each([&](int v, auto lanes) TENON_ALWAYS_INLINE {
      const int at = v * vector::size;
      repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
        if constexpr (traits::is_held(l)) loaded[l] = kept[l][v];
        else if constexpr (!body.loads[l].broadcast) loaded[l] = lanes.load(from[l] + at);
      });
      evaluate<Kernel, Function>(loaded, local);
      repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
        constexpr map_store store = body.stores[s];
        const vector y = local[store.local];
        if constexpr (store.over_steps) sums[s][v] = sums[s][v] + y;
        else if constexpr (store.adds) lanes.store(to[s] + at, lanes.load(to[s] + at) + y);
        else if constexpr (store.reduction == opcode::copy) lanes.store(to[s] + at, y);
        else reduce<store.reduction>(reduced[s], lanes.keep(y, nothing_yet<T>(store.reduction)));
      });
    });
    repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
      constexpr opcode reduction = body.stores[s].reduction;
      if constexpr (reduction != opcode::copy)
        *to[s] = reduction == opcode::row_sum ? sum(reduced[s]) : highest(reduced[s]);
      if constexpr (!body.stores[s].over_steps) to[s] += stores[s].step;
    });
    repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
      if constexpr (!traits::is_held(l)) from[l] += loads[l].step;
    });
  }
  TENON_ALWAYS_INLINE void finish() {
    if constexpr (traits::sums_over_steps)
      repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
        if constexpr (body.stores[s].over_steps)
          each([&](int v, auto lanes)
                   TENON_ALWAYS_INLINE { lanes.store(to[s] + v * vector::size, sums[s][v]); });
      });
  }

 private:
  template <class F>
  TENON_ALWAYS_INLINE void each(F f) const {
    if constexpr (Count > 1)
      repeat<Count - 1>([&](int v) TENON_ALWAYS_INLINE { f(v, simd::whole<vector>{}); });
    f(Count - 1, last);
  }
  template <opcode Reduction>
  TENON_ALWAYS_INLINE static void reduce(vector& reduced, const vector& seen) {
    if constexpr (Reduction == opcode::row_sum) reduced = reduced + seen;
    else reduced = select(reduced < seen, seen, reduced);
  }
};

// One map over all steps, with as many vectors of a row at a time as the registers can hold.
template <class Kernel, class T, template <opcode> class Function>
struct steps_of_rows {
  using vector = simd::vector<T>;
  using traits = row_traits<Kernel, T>;
  static constexpr int together = [] {
    int fitting = 0;
    while (traits::held > 0 && (fitting + 1) * traits::held <= registers_to_hold) ++fitting;
    return fitting < traits::vectors ? (traits::reduces ? 0 : fitting) : traits::vectors;
  }();
  // If little is computed, loads and stores dominate the time. The code is repeated for each vector.
  static constexpr bool pays = [] {
    bool changes = false;  // from step to step
    for (const map_load& l : Kernel::body.loads) changes = changes || !l.invariant;
    return Kernel::body.width > 1 && together > 0 && changes && traits::operations <= 12;
  }();

  static void run(int steps, int rows, const operand<const T>* loads, const operand<T>* stores) {
    const auto some = [&]<int Count, class Last>(int r, int j, std::integral_constant<int, Count>,
                                                 Last last) {
      row_through_steps<Kernel, T, Function, Count, Last> row(loads, stores, last);
      row.begin(r, j);
      for (int t = 0; t < steps; ++t) row.step();
      row.finish();
    };
    constexpr int blocks = traits::full / together, left = traits::vectors - blocks * together;
    for (int r = 0; r < rows; ++r) {
      for (int b = 0; b < blocks; ++b)
        some(r, b * together * traits::size, std::integral_constant<int, together>{}, simd::whole<vector>{});
      constexpr int j = blocks * together * traits::size;
      if constexpr (left > 0 && traits::rest > 0)
        some(r, j, std::integral_constant<int, left>{}, simd::part<vector>(traits::rest));
      else if constexpr (left > 0) some(r, j, std::integral_constant<int, left>{}, simd::whole<vector>{});
    }
  }
};

// Several maps: each row goes through all of them at each step, so that the next map finds its operands in the cache.
template <class T, template <opcode> class Function, class... Kernels>
struct chain_of_maps {
  static constexpr bool pays = [] {
    const int held = ((row_traits<Kernels, T>::held * row_traits<Kernels, T>::vectors) + ... + 0);
    const int operations = (row_traits<Kernels, T>::operations + ... + 0);
    const bool keeps = ((row_traits<Kernels, T>::held > 0) || ...);
    const bool is_short =
        ((row_traits<Kernels, T>::vectors <= registers_to_hold) && ...);  // a row is unrolled
    return keeps && is_short && held <= registers_to_hold && operations <= 24;
  }();

  // Rows end at their lengths, counted from step `first` on; null: none ends. Nothing is written past the end.
  static void run(int first, int steps, int rows, const int* lengths, const operand<const T>* const* loads,
                  const operand<T>* const* stores) {
    const auto walk = [&](auto... row) TENON_ALWAYS_INLINE {
      for (int r = 0; r < rows; ++r) {
        const int left = lengths == nullptr || lengths[r] - first > steps ? steps : lengths[r] - first;
        (row.begin(r, 0), ...);
        for (int t = 0; t < left; ++t) (row.step(), ...);
        (row.finish(), ...);
      }
    };
    [&]<int... I>(std::integer_sequence<int, I...>) TENON_ALWAYS_INLINE {
      walk(row_of<Kernels>(loads[I], stores[I], lanes_of<Kernels>())...);
    }
    (std::make_integer_sequence<int, static_cast<int>(sizeof...(Kernels))>{});
  }

 private:
  template <class Kernel>
  TENON_ALWAYS_INLINE static auto lanes_of() {
    using traits = row_traits<Kernel, T>;
    using vector = simd::vector<T>;
    if constexpr (Kernel::body.width == 1) return simd::single<vector>{};
    else if constexpr (traits::rest > 0) return simd::part<vector>(traits::rest);
    else return simd::whole<vector>{};
  }
  template <class Kernel>
  using row_of =
      row_through_steps<Kernel, T, Function, row_traits<Kernel, T>::vectors, decltype(lanes_of<Kernel>())>;
};

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::detail
