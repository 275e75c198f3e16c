// The kernel of stage_loop for layers of few units, whose weights all stay in registers. Four neighbouring lanes of a warp share the terms of
// a unit's sums and exchange them without shared memory, where only the states are; so a step has one barrier.
#pragma once

#include "tenon/backend/cuda/loop_shape.hpp"
#include "tenon/backend/cuda/several.hpp"
#include "tenon/backend/thrust/map.hpp"

#include <limits>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// Each lane of a unit has every fourth group of four terms, so that the four lanes read neighbouring states.
inline constexpr int lanes_of_unit = 4, terms_of_lanes = 4 * lanes_of_unit;
constexpr int groups_of_lane(int terms) { return (terms + terms_of_lanes - 1) / terms_of_lanes; }

// Does a loop run as narrow_loop_block? With 128 units, a part of whose weights comes from the first cache, loop_block is faster; doubles
// were not measured.
template <class Loop, class T>
inline constexpr bool is_narrow_loop = [] {
  constexpr int width = Loop::body.width;
  int weights = 0;
  for (int p = 0; p < Loop::stage.products.size; ++p) {
    const bool reads_whole_state =
        Loop::loop.products[p] % width == 0 && Loop::stage.products[p].depth == width;
    if (!reads_whole_state) return false;
    weights += 4 * groups_of_lane(width) * Loop::stage.products[p].columns.size;
  }
  return sizeof(T) == sizeof(float) && width <= most_narrow_units &&
         weights * int(sizeof(T)) <= bytes_in_registers;
}();

template <class Loop, class T, class W, bool ManyRows>  // W: the type in which a weight is stored
struct narrow_loop_block {
  static constexpr int width = Loop::body.width, sums = Loop::stage.sums;
  static constexpr int products = Loop::stage.products.size, states = Loop::loop.states.size;
  static constexpr int load_count = Loop::body.loads.size, store_count = Loop::body.stores.size;
  static constexpr int rows_together = ManyRows ? 4 : 1;
  static constexpr int threads = (lanes_of_unit * width + warp_size - 1) / warp_size * warp_size;
  // After the sums are added up, each lane has those of one row: its own, or the only one.
  using sums_of_unit = sums_of_lanes<rows_together, sums, 1>;
  static_assert(sums_of_unit::rows == 1);
  // A state, with zeros up to a whole group of each lane.
  static constexpr int groups = groups_of_lane(width);
  static constexpr int state_numbers = groups * terms_of_lanes, row_numbers = states * state_numbers;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, 2 * rows_together * row_numbers> states;
  };

  loop_steps steps;
  int rows;
  const int* lengths;              // null: no row ends before the last step
  operand<const T> begin[states];  // the states before the first step
  const W* weights[products];
  const T* vectors;
  operand<const T> loads[load_count + 1];  // of the first step in memory
  operand<T> stores[store_count + 1];

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t first = std::ptrdiff_t(thread.block.x) * rows_together;
    const int lane = thread.index % lanes_of_unit, unit = thread.index / lanes_of_unit;
    const own mine{first, sums_of_unit::first_row(lane), unit,
                   unit < width && first + sums_of_unit::first_row(lane) < rows};
    const bool writes = mine.is_there && sums_of_unit::keeps(lane);
    fetch_states(thread, first);
    numbers_of_thread numbers{};
    fetch(mine, numbers);
    T kept[kept_before(products) + 1];
    each_number<products>([&](auto p) { keep_weights<p>(unit, lane, kept); });
    addresses at;
    find_first(first, at);
    load_ready(mine, at, numbers.ready);
    thread.synchronise();
    for (int n = 0; n < steps.count; ++n) {
      T sum[rows_together][sums]{}, ready[load_count + 1];
      each_number<products>([&](auto p) { add_product<p>(thread, lane, n % 2 != 0, kept, sum); });
      sums_of_unit::add(thread, sum);
      // Operands from before the loop are loaded one step ahead.
      TENON_UNROLL for (int l = 0; l < load_count; ++l) ready[l] = numbers.ready[l];
      if (n + 1 < steps.count) {
        each_number<load_count>(
            [&](auto l) { at.loads[l] += steps.backwards ? -loads[l].step : loads[l].step; });
        load_ready(mine, at, numbers.ready);
      }
      finish(thread, n, mine, writes, sum[0], ready, at, numbers);
      each_number<store_count>(
          [&](auto s) { at.stores[s] += steps.backwards ? -stores[s].step : stores[s].step; });
      thread.synchronise();  // the next step reads what this one has written
    }
  }

 private:
  // The row and the unit whose map a thread computes.
  struct own {
    std::ptrdiff_t first;  // the block's first row
    int row, unit;
    bool is_there;
  };
  // What a thread keeps in registers of them.
  struct numbers_of_thread {
    T state[states], vectors[load_count + 1], ready[load_count + 1];
    int end;
  };
  // The rows of the block at a step: the same addresses for all threads.
  struct addresses {
    const T* loads[load_count + 1];
    T* stores[store_count + 1];
  };
  template <int P>
  static constexpr int columns = Loop::stage.products[P].columns.size;
  // The number of weights that are kept for all products before p.
  static constexpr int kept_before(int p) {
    int sum = 0;
    for (int q = 0; q < p; ++q) sum += 4 * groups * Loop::stage.products[q].columns.size;
    return sum;
  }
  TENON_HOST_DEVICE static constexpr int place(bool odd, int row, int column) {
    return place_of_state(odd, rows_together, row, row_numbers,
                          column / width * state_numbers + column % width);
  }
  // Is a state in shared memory read? Each thread has the states of its own unit in registers.
  static constexpr bool is_shared(int state) {
    for (int p = 0; p < products; ++p)
      if (Loop::loop.products[p] / width == state) return true;
    for (int l = 0; l < load_count; ++l)
      if (Loop::body.loads[l].broadcast && Loop::loop.loads[l] >= 0 && Loop::loop.loads[l] / width == state)
        return true;
    return false;
  }
  // Is an operand loaded at every step?
  static constexpr bool is_ready(int load) {
    return Loop::body.loads[load].sum < 0 && Loop::body.loads[load].packed < 0 && Loop::loop.loads[load] < 0;
  }

  // A missing row has states of zero at every step.
  template <class Thread>
  TENON_KERNEL void fetch_states(Thread& thread, std::ptrdiff_t first) const {
    for (int e = thread.index; e < rows_together * row_numbers; e += threads) {
      const int r = e / row_numbers, c = e % row_numbers;
      T value = 0;
      each_number<states>([&](auto s) {
        const int j = c - s * state_numbers;
        if (0 <= j && j < width && first + r < rows) value = begin[s].data[(first + r) * begin[s].row + j];
      });
      thread.shared.states[e] = value;
      thread.shared.states[e + rows_together * row_numbers] = value;
    }
  }
  TENON_KERNEL void fetch(const own& mine, numbers_of_thread& numbers) const {
    numbers.end = std::numeric_limits<int>::max();
    if (!mine.is_there) return;
    const std::ptrdiff_t row = mine.first + mine.row;
    if (lengths != nullptr) numbers.end = lengths[row];
    each_number<states>([&](auto s) { numbers.state[s] = begin[s].data[row * begin[s].row + mine.unit]; });
    each_number<load_count>([&](auto l) {
      constexpr int vector = Loop::body.loads[l].packed;
      if constexpr (vector >= 0) numbers.vectors[l] = vectors[vector * width + mine.unit];
    });
  }
  TENON_KERNEL void find_first(std::ptrdiff_t first, addresses& at) const {
    const int t = step_in_memory(steps, 0);
    each_number<load_count>(
        [&](auto l) { at.loads[l] = loads[l].data + t * loads[l].step + first * loads[l].row; });
    each_number<store_count>(
        [&](auto s) { at.stores[s] = stores[s].data + t * stores[s].step + first * stores[s].row; });
  }
  // The place of a block's row behind its first one. Four rows of a block are less than 2^31 numbers apart.
  TENON_KERNEL static int behind_first(int row, std::ptrdiff_t distance) {
    return rows_together > 1 ? row * static_cast<int>(distance) : 0;
  }
  TENON_KERNEL void load_ready(const own& mine, const addresses& at, T (&ready)[load_count + 1]) const {
    each_number<load_count>([&](auto l) {
      constexpr bool broadcast = Loop::body.loads[l].broadcast;
      if constexpr (is_ready(l))
        if (mine.is_there)
          ready[l] = at.loads[l][behind_first(mine.row, loads[l].row) + (broadcast ? 0 : mine.unit)];
    });
  }

  template <int P>
  TENON_KERNEL void keep_weights(int unit, int lane, T* kept) const {
    TENON_UNROLL for (int j = 0; j < 4 * groups; ++j) {
      const int k = (j / 4 * lanes_of_unit + lane) * 4 + j % 4;
      TENON_UNROLL for (int c = 0; c < columns<P>; ++c) {
        kept[kept_before(P) + j * columns<P> + c] =
            unit < width && k < width ? T(weights[P][(k * columns<P> + c) * width + unit]) : T(0);
      }
    }
  }
  // Adds up a lane's terms of the sums of one unit, for all rows.
  template <int P, class Thread>
  TENON_KERNEL void add_product(Thread& thread, int lane, bool odd, const T* kept,
                                T (&sum)[rows_together][sums]) const {
    TENON_UNROLL for (int j = 0; j < groups; ++j) {
      const T* const factor = kept + kept_before(P) + j * 4 * columns<P>;
      TENON_UNROLL for (int r = 0; r < rows_together; ++r) {
        const auto four = thread.shared.states.template at<several<T, 4>>(
            place(odd, r, Loop::loop.products[P]) + (j * lanes_of_unit + lane) * 4);
        TENON_UNROLL for (int i = 0; i < 4; ++i) {
          each_number<columns<P>>([&](auto c) {
            sum[r][Loop::stage.products[P].sums[c]] += four.numbers[i] * factor[i * columns<P> + c];
          });
        }
      }
    }
  }
  // The map of the thread's unit and row. Lanes with the same row compute the same, and one of them writes.
  template <class Thread>
  TENON_KERNEL void finish(Thread& thread, int n, const own& mine, bool writes, const T (&sum)[sums],
                           const T (&ready)[load_count + 1], const addresses& at,
                           numbers_of_thread& numbers) const {
    const bool odd = n % 2 != 0;
    T loaded[load_count + 1], local[Loop::body.code.size + 1];
    each_number<load_count>([&](auto l) {
      constexpr int of = Loop::body.loads[l].sum, vector = Loop::body.loads[l].packed;
      constexpr int column = Loop::loop.loads[l];
      if constexpr (of >= 0) loaded[l] = vector >= 0 ? numbers.vectors[l] + sum[of] : sum[of];
      else if constexpr (vector >= 0) loaded[l] = numbers.vectors[l];
      else if constexpr (column < 0) loaded[l] = ready[l];
      else if constexpr (Loop::body.loads[l].broadcast)
        loaded[l] = thread.shared.states[place(odd, mine.row, column)];
      else loaded[l] = numbers.state[column / width];
    });
    evaluate<Loop>(loaded, local);
    const bool ended = steps.first + step_in_memory(steps, n) >= numbers.end;
    each_number<store_count>([&](auto s) {
      constexpr int column = Loop::loop.stores[s];
      T value = local[Loop::body.stores[s].local];
      if constexpr (column >= 0) {
        constexpr int state = column / width;
        if (ended) value = numbers.state[state];
        numbers.state[state] = value;
        if constexpr (is_shared(state))
          if (writes) thread.shared.states[place(!odd, mine.row, column) + mine.unit] = value;
      }
      if (writes) at.stores[s][behind_first(mine.row, stores[s].row) + mine.unit] = value;
    });
  }

  template <int Count, class F>
  TENON_KERNEL static void each_number(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>{}), ...); }
    (std::make_integer_sequence<int, Count>{});
  }
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
