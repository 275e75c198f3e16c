// stage: products and the only map that reads them, a vector of units at a time. The weights of all sums of
// a unit are side by side, the sums stay in registers, and the map's results go to memory once.
#pragma once

#include "tenon/backend/cpu/lanes.hpp"
#include "tenon/backend/cpu/map.hpp"
#include "tenon/backend/cpu/stage_sums.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

// A single row reads every weight once, wherever it is. With several rows the weights of a vector of units must
// stay in the first cache, and the sums of several rows in registers. A single row waits for its state from step
// to step: its other products cost little during that time if half the first cache holds their weights (in
// float).
constexpr stage_limits limits_of_stages(cpu, int rows) {
  if (rows > 1 || simd::adds_in_one_order) return {.sums = 16, .weights = detail::cached_vectors};
  return {.sums = 16,
          .weights = 1 << 20,
          .one_row = true,
          .loop_weights = detail::cached_vectors * simd::widest<float> / 2};
}

// For a kernel that runs on all steps at once. A stage runs the rows of one step together: if there are few rows, a product over all
// steps reads its weights less often, and only a narrow product is cheaper in a stage with its map.
constexpr stage_limits limits_of_stages_of_steps(cpu, int rows, int steps) {
  return rows < 8 && rows * steps >= 16 && !simd::adds_in_one_order ? stage_limits{.sums = 16, .weights = 16}
                                                                    : limits_of_stages(cpu{}, rows);
}

template <class B>
concept RoundsWeights = std::derived_from<B, cpu> &&(trades<B, bfloat16_weights> || trades<B, int8_weights>);
// Weights of 16 bits are rounded only if they are read once for each row. Several rows share weights, so then there is no stage; with
// weights of 8 bits there is none, because products are kernels of their own.
template <RoundsWeights B>
constexpr stage_limits limits_of_stages(B, int rows) {
  const bool has_stages = !trades<B, int8_weights> && rows == 1 && !simd::adds_in_one_order;
  return has_stages ? limits_of_stages(cpu{}, rows) : stage_limits{};
}
template <RoundsWeights B>
constexpr stage_limits limits_of_stages_of_steps(B on, int rows, int) {
  return limits_of_stages(on, rows);
}

namespace detail {

template <class Stage, class T, class Backend>
struct vector_stage {
  using shape = stage_shape<Stage, T, Backend>;
  using vector = typename shape::vector;
  static constexpr int sums = shape::sums, size = shape::size, in_last = shape::in_last;
  static constexpr int full = shape::full, group = shape::group, groups = shape::groups;
  using map = vector_map<Stage, T, functions_of<Backend, T>::template function, vector>;
  static constexpr int rows_together = [] {  // sums, weights and one feature of x share the registers
    // Two vectors of four rows load less for each multiply-add than one vector of eight rows.
    int rows = sums == 1 && group % 2 == 0 && 8 * 2 + 2 + 1 > simd::registers ? 4 : 8;
    while (rows > 1 && rows * sums + sums + 1 > simd::registers) rows /= 2;
    return rows;
  }();
  static constexpr int vectors_together =  // of units, where their sums are few
      group % 2 == 0 && rows_together * 2 * sums + 2 * sums + 1 <= simd::registers ? 2 : 1;

  // The initial value of each sum: a vector of parameters, or zero (-1).
  struct start_of_sum {
    short sum, vector_of_parameters;
  };
  static constexpr auto starts = [] {
    list<start_of_sum, sums> all;
    for (const map_load& load : Stage::body.loads)
      if (load.sum >= 0) all.add({load.sum, load.packed});
    return all;
  }();

  // Does each step begin where the rows of the step before end, in every operand? Then all rows count as one step's.
  static bool steps_follow(int rows, const stage_rows<T>* x, const operand<const T>* loads,
                           const operand<T>* stores) {
    bool all = true;
    const auto look = [&](const auto& o) { all = all && o.step == rows * o.row; };
    repeat<Stage::stage.products.size>([&](int p) { look(x[p]); });
    repeat<map::load_count>([&](auto l) {
      if constexpr (Stage::body.loads[l].sum < 0 && Stage::body.loads[l].packed < 0) look(loads[l]);
    });
    repeat<map::store_count>([&](int s) { look(stores[s]); });
    return all;
  }

  // A row of more weights is not inlined: the call is a hundredth of its time, and the compiler spends no time on it
  // at each call.
  static constexpr long most_inlined_weights = 16384;

  // Rows [0, Height) of the operands, `Vectors` vectors of units from vector `first` on, and at the end the units
  // that share vectors. A single row processes a whole group, several rows process vectors_together of it.
  template <int Height, int Vectors, bool AtEnd>
  TENON_ALWAYS_INLINE TENON_FLATTEN static void block(int first, const stage_rows<T>* x, const T* packed,
                                                      const operand<const T>* loads, const operand<T>* stores,
                                                      [[maybe_unused]] bool backwards = false) {
    block_sums<shape, Height, Vectors, AtEnd> sum;
    constexpr int all = sum.all;
    constexpr int stride = shape::packed_vectors * size;  // from one vector of units to the next
    const T* const packed_here = packed + std::ptrdiff_t(first) * stride;
    TENON_UNROLL for (int n = 0; n < starts.size; ++n) {
      const auto [of, vector_of_parameters] = starts[n];
      TENON_UNROLL for (int v = 0; v < all; ++v) {
        vector start(0);
        if (vector_of_parameters >= 0)
          start = vector::load(packed_here + v * stride + vector_of_parameters * size);
        TENON_UNROLL for (int r = 0; r < Height; ++r) sum.apart[r][v][of] = start;
      }
    }
    sum.clear_shared();
    if constexpr (Height == 1 && shape::turns_inside) sum.add_products_in_turn(x, first, backwards);
    else sum.add_products(x, first);
    sum.add_shared();
    const auto vector_of = [&](int r, int v) TENON_ALWAYS_INLINE {
      return typename map::vector_of_row{r, (first + v) * size, packed_here + v * stride, sum.apart[r][v]};
    };
    // A single row waits for its exponentials, so those of several vectors overlap. Several rows overlap anyway.
    constexpr int maps_together = Height == 1 ? 4 : 1;
    // Written out: in a loop, sums and addresses would go through memory.
    const auto finish = [&](auto count, auto lanes, auto vector_at) TENON_ALWAYS_INLINE {
      repeat<(count + maps_together - 1) / maps_together>([&](auto n) TENON_ALWAYS_INLINE {
        constexpr int begin = n * maps_together, left = count - begin;
        constexpr int some = left < maps_together ? left : maps_together;
        typename map::vector_of_row of[some];
        TENON_UNROLL for (int i = 0; i < some; ++i) of[i] = vector_at(begin + i);
        map::template evaluate_vectors<some>(of, lanes, loads, stores);
      });
    };
    constexpr int whole = AtEnd && in_last < size ? all - 1 : all;
    if constexpr (whole > 0)
      finish(std::integral_constant<int, Height * whole>{}, simd::whole<vector>{},
             [&](int i) TENON_ALWAYS_INLINE { return vector_of(i / whole, i % whole); });
    if constexpr (whole < all)
      finish(std::integral_constant<int, Height>{}, simd::first_lanes<vector, in_last>{},
             [&](int r) TENON_ALWAYS_INLINE { return vector_of(r, whole); });
  }

  [[gnu::noinline]] TENON_FLATTEN static void row_apart(const stage_rows<T>* x, const T* packed,
                                                        const operand<const T>* loads,
                                                        const operand<T>* stores, bool backwards) {
    all_units<1>(x, packed, loads, stores, backwards);
  }
  template <int Height>
  static void all_units(const stage_rows<T>* x, const T* packed, const operand<const T>* loads,
                        const operand<T>* stores, bool backwards) {
    if constexpr (Height > 1 || groups == 1) units<Height>(0, full, x, packed, loads, stores, backwards);
    else
      for (int n = 0; n < groups; ++n)
        units_of_group<Height>(backwards ? groups - 1 - n : n, x, packed, loads, stores, backwards);
  }
  template <int Height>
  static void units_of_group(int g, const stage_rows<T>* x, const T* packed, const operand<const T>* loads,
                             const operand<T>* stores, bool backwards) {
    const int begin = g * group;
    units<Height>(begin, g == groups - 1 ? full : begin + group, x, packed, loads, stores, backwards);
  }

 private:
  // The vectors of units [begin, end), whole groups; after the last of all vectors, the units that share vectors.
  template <int Height>
  static void units(int begin, int end, const stage_rows<T>* x, const T* packed,
                    const operand<const T>* loads, const operand<T>* stores,
                    [[maybe_unused]] bool backwards) {
    constexpr bool has_end = in_last < size;
    if constexpr (Height == 1) {
      constexpr bool apart = has_end || full - shape::before_last < group;  // the last group
      if constexpr (apart)
        if (groups == 1 || end == full)
          return block<1, full - shape::before_last, has_end>(shape::before_last, x, packed, loads, stores,
                                                              backwards);
      if constexpr (!apart || groups > 1) block<1, group, false>(begin, x, packed, loads, stores, backwards);
    } else {
      constexpr int at_end = has_end && !shape::shares;
      constexpr int whole = full - at_end;
      const bool is_last = end == full;
      if constexpr (whole >= vectors_together)
        for (int v = begin; v + vectors_together <= (is_last ? whole : end); v += vectors_together)
          block_apart<Height, vectors_together, false>(v, x, packed, loads, stores);
      if constexpr (whole % vectors_together > 0)
        if (is_last) block_apart<Height, 1, false>(whole - 1, x, packed, loads, stores);
      if constexpr (has_end)
        if (is_last) block_apart<Height, at_end, true>(whole, x, packed, loads, stores);
    }
  }

  // Not inlined: otherwise the map's constants, kept for the next block, would take registers from the sums.
  template <int Height, int Vectors, bool AtEnd>
  [[gnu::noinline]] TENON_FLATTEN static void block_apart(int first, const stage_rows<T>* x, const T* packed,
                                                          const operand<const T>* loads,
                                                          const operand<T>* stores) {
    block<Height, Vectors, AtEnd>(first, x, packed, loads, stores);
  }
};

template <class Stage, class Backend>
inline constexpr bool is_one_by_one = Stage::stage.one_row || trades<Backend, bfloat16_weights>;

}  // namespace detail

// For every row: the sums of its products, then the map. x[p] are the rows of product p, `packed` the vectors
// among the loads. A row that goes backwards over the groups of units begins with the weights that the row before
// read last, which are still in the cache; its sums are the same. A small row is inlined at each call, so that the
// operands' addresses stay in registers; writing them to memory and reading them again took a tenth of a small
// step.
template <class Stage, std::derived_from<cpu> Backend, class T>
inline void stage(Backend, int steps, int rows, const stage_rows<T>* x, const T* packed,
                  const operand<const T>* loads, const operand<T>* stores, bool backwards) {
  using kernel = detail::vector_stage<Stage, T, Backend>;
  using map = typename kernel::map;
  constexpr bool one_by_one = detail::is_one_by_one<Stage, Backend>;
  constexpr int together = one_by_one ? 1 : kernel::rows_together;
  constexpr bool group_by_group = together > 1 && kernel::shape::streams;
  constexpr bool is_small = one_by_one && kernel::shape::all_weights <= kernel::most_inlined_weights;
  const auto some = [&]<int Height>(int t, int r, int group) {
    stage_rows<T> x_here[Stage::stage.products.size];
    operand<const T> loads_here[map::load_count + 1];
    operand<T> stores_here[map::store_count + 1];
    const auto move = [&](const auto& from, auto& to) TENON_ALWAYS_INLINE {
      to = from;
      to.data += t * from.step + r * from.row;
    };
    repeat<Stage::stage.products.size>([&](int p) TENON_ALWAYS_INLINE { move(x[p], x_here[p]); });
    repeat<map::load_count>([&](int l) TENON_ALWAYS_INLINE { move(loads[l], loads_here[l]); });
    repeat<map::store_count>([&](int s) TENON_ALWAYS_INLINE { move(stores[s], stores_here[s]); });
    const bool turned = kernel::shape::turns && backwards;
    if constexpr (group_by_group)
      kernel::template units_of_group<Height>(group, x_here, packed, loads_here, stores_here, turned);
    else if constexpr (Height > 1 || is_small)
      kernel::template all_units<Height>(x_here, packed, loads_here, stores_here, turned);
    else kernel::row_apart(x_here, packed, loads_here, stores_here, turned);
    backwards = !backwards;
  };
  if constexpr (together > 1)
    if (steps > 1 && kernel::steps_follow(rows, x, loads, stores)) {
      rows *= steps;
      steps = 1;
    }
  for (int group = 0; group < (group_by_group ? kernel::groups : 1); ++group)
    for (int t = 0; t < steps; ++t) {
      int r = 0;
      if constexpr (together > 1)
        for (; r + together <= rows; r += together) some.template operator()<together>(t, r, group);
      for (; r < rows; ++r) some.template operator()<1>(t, r, group);
    }
}

// A piece of it, for threads that share one: some steps, or some rows of the only one, each as in the whole.
template <class Stage, std::derived_from<cpu> Backend, class T>
inline void stage_piece(Backend on, piece mine, int steps, int rows, const stage_rows<T>* x, const T* packed,
                        const operand<const T>* loads, const operand<T>* stores, bool backwards) {
  using kernel = detail::vector_stage<Stage, T, Backend>;
  using map = typename kernel::map;
  constexpr int together = detail::is_one_by_one<Stage, Backend> ? 1 : kernel::rows_together;
  if (together > 1 && steps > 1 && kernel::steps_follow(rows, x, loads, stores)) {
    rows *= steps;
    steps = 1;
  }
  const bool by_steps = steps > 1;
  const int all = by_steps ? steps : rows, unit = by_steps ? 1 : together;
  const int first = mine.start(all, unit), count = mine.end(all, unit) - first;
  stage_rows<T> x_here[Stage::stage.products.size];
  operand<const T> loads_here[map::load_count + 1];
  operand<T> stores_here[map::store_count + 1];
  const auto move = [&](const auto& from, auto& to) {
    to = from;
    to.data += first * (by_steps ? from.step : from.row);
  };
  repeat<Stage::stage.products.size>([&](int p) { move(x[p], x_here[p]); });
  repeat<map::load_count>([&](int l) { move(loads[l], loads_here[l]); });
  repeat<map::store_count>([&](int s) { move(stores[s], stores_here[s]); });
  const int turns = by_steps ? first * (rows / together + rows % together) : first / together;
  if (count > 0)
    stage<Stage>(on, by_steps ? count : 1, by_steps ? rows : count, x_here, packed, loads_here, stores_here,
                 backwards != (turns % 2 != 0));
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
