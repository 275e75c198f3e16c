// A map whose rows meet the same operands at every time step: one row after another goes through all steps, and
// these operands and the sums over steps stay in registers meanwhile.
#pragma once

#include "tenon/backend/cpu/math.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/equation/kernel.hpp"
#include "tenon/meta/repeat.hpp"

#include <cstddef>
#include <limits>
#include <type_traits>

namespace tenon::backend::detail {

// What a maximum or a sum of no features is.
template <class T>
constexpr T nothing_yet(op reduction) {
  return reduction == op::row_max ? -std::numeric_limits<T>::infinity() : T(0);
}

template <class Kernel, class T, template <op> class Function>
struct steps_of_rows {
  using vector = simd::vector<T>;
  static constexpr const map_body& body = Kernel::body;
  static constexpr int load_count = body.loads.size, store_count = body.stores.size;
  static constexpr int full = body.width / vector::size, rest = body.width % vector::size;
  static constexpr int vectors = full + (rest > 0);

  static constexpr bool is_held(int load) { return body.loads[load].timeless && !body.loads[load].broadcast; }
  static constexpr int held = [] {  // operands and sums that stay in registers
    int n = 0;
    for (int l = 0; l < load_count; ++l) n += is_held(l);
    for (const map_store& s : body.stores) n += s.over_steps;
    return n;
  }();
  static constexpr bool reduces = [] {
    for (const map_store& s : body.stores)
      if (s.reduction != op::copy) return true;
    return false;
  }();
  // Vectors of a row that go through all steps together: a row that is reduced as a whole.
  static constexpr int together = [] {
    int fitting = 0;
    while (held > 0 && (fitting + 1) * held <= simd::registers * 5 / 8) ++fitting;
    return fitting < vectors ? (reduces ? 0 : fitting) : vectors;
  }();
  // Where little is computed, what is loaded and stored takes the time. The code stands there for each vector.
  static constexpr bool pays = [] {
    int work = 0;
    for (const instruction& i : body.code) work += is_elementwise(i.code) ? cost(i.code) : 0;
    bool changes = false;  // from step to step
    for (const map_load& l : body.loads) changes = changes || !l.timeless;
    return body.width > 1 && together > 0 && changes && work <= 12;
  }();

  static void run(int steps, int rows, const operand<const T>* loads, const operand<T>* stores) {
    for (int r = 0; r < rows; ++r)
      for_blocks([&](int j, auto count, auto last) { run_row(steps, r, j, count, last, loads, stores); });
  }

 private:
  // f(feature, vectors, lanes of the last of them) for every block of a row.
  template <class F>
  TENON_ALWAYS_INLINE static void for_blocks(F f) {
    constexpr int blocks = full / together, left = vectors - blocks * together;
    for (int b = 0; b < blocks; ++b)
      f(b * together * vector::size, std::integral_constant<int, together>{}, simd::whole<T>{});
    constexpr int begin = blocks * together * vector::size;
    if constexpr (left > 0 && rest > 0) f(begin, std::integral_constant<int, left>{}, simd::part<T>(rest));
    else if constexpr (left > 0) f(begin, std::integral_constant<int, left>{}, simd::whole<T>{});
  }

  template <int Count, class Last>
  TENON_ALWAYS_INLINE static void run_row(int steps, int r, int j, std::integral_constant<int, Count>,
                                          Last last, const operand<const T>* loads,
                                          const operand<T>* stores) {
    const auto each = [&](auto f) TENON_ALWAYS_INLINE {
      repeat<Count - 1>([&](auto v) TENON_ALWAYS_INLINE { f(v, simd::whole<T>{}); });
      f(std::integral_constant<int, Count - 1>{}, last);
    };
    const T* from[load_count + 1];
    T* to[store_count + 1];
    vector kept[load_count + 1][Count], sums[store_count + 1][Count];
    repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
      from[l] = loads[l].data + r * loads[l].row;
      if constexpr (!body.loads[l].broadcast) from[l] += j;
      if constexpr (is_held(l))
        each([&](auto v, auto lanes)
                 TENON_ALWAYS_INLINE { kept[l][v] = lanes.load(from[l] + v * vector::size); });
    });
    repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
      to[s] = stores[s].data + r * stores[s].row;
      if constexpr (body.stores[s].reduction == op::copy) to[s] += j;
      if constexpr (body.stores[s].over_steps)
        each([&](auto v, auto lanes)
                 TENON_ALWAYS_INLINE { sums[s][v] = lanes.load(to[s] + v * vector::size); });
    });
    for (int t = 0; t < steps; ++t) {
      vector loaded[load_count + 1], local[body.code.size + 1], reduced[store_count + 1];
      repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
        if constexpr (body.loads[l].broadcast) loaded[l] = vector(*from[l]);
      });
      each([&](auto v, auto lanes) TENON_ALWAYS_INLINE {
        constexpr int at = v * vector::size;
        repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
          if constexpr (is_held(l)) loaded[l] = kept[l][v];
          else if constexpr (!body.loads[l].broadcast) loaded[l] = lanes.load(from[l] + at);
        });
        evaluate<Kernel, Function>(loaded, local);
        repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
          constexpr map_store store = body.stores[s];
          const vector y = local[store.local];
          if constexpr (store.over_steps) sums[s][v] = sums[s][v] + y;
          else if constexpr (store.adds) lanes.store(to[s] + at, lanes.load(to[s] + at) + y);
          else if constexpr (store.reduction == op::copy) lanes.store(to[s] + at, y);
          else reduce<store.reduction, (v > 0)>(reduced[s], y, lanes);
        });
      });
      repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
        constexpr op reduction = body.stores[s].reduction;
        if constexpr (reduction != op::copy)
          *to[s] = reduction == op::row_sum ? sum(reduced[s]) : highest(reduced[s]);
        if constexpr (!body.stores[s].over_steps) to[s] += stores[s].step;
      });
      repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
        if constexpr (!is_held(l)) from[l] += loads[l].step;
      });
    }
    repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
      if constexpr (body.stores[s].over_steps)
        each([&](auto v, auto lanes)
                 TENON_ALWAYS_INLINE { lanes.store(to[s] + v * vector::size, sums[s][v]); });
    });
  }

  template <op Reduction, bool Goes_on, class Lanes>
  TENON_ALWAYS_INLINE static void reduce(vector& reduced, const vector& y, const Lanes& lanes) {
    const vector kept = lanes.keep(y, nothing_yet<T>(Reduction));
    if constexpr (!Goes_on) reduced = kept;
    else if constexpr (Reduction == op::row_sum) reduced = reduced + kept;
    else reduced = select(reduced < kept, kept, reduced);
  }
};

}  // namespace tenon::backend::detail
