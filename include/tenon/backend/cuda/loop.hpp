// stage_loop: all steps of a recurrent layer in one kernel, where the loop is one stage: an LSTM's or a GRU's product with its state,
// and its gates. A block has rows of its own and makes all their units, so that no block waits for another. The states are in shared
// memory from step to step, and the weights where there is room; what follows a loop finds every step in memory as ever.
#pragma once

#include "tenon/backend/cuda/loop_shape.hpp"
#include "tenon/backend/cuda/stage.hpp"

#include <utility>

namespace tenon::backend::inline TENON_DEVICE {

namespace cuda_detail {

template <class Loop, class T, class W, bool ManyRows>  // W: as what a weight is stored
struct loop_block {
  static constexpr int width = Loop::body.width, sums = Loop::stage.sums, row_numbers = Loop::loop.row();
  static constexpr int products = Loop::stage.products.size, states = Loop::loop.states.size;
  static constexpr int load_count = Loop::body.loads.size, store_count = Loop::body.stores.size;
  static constexpr long weight_count = Loop::loop.weights();
  static constexpr loop_shape shape =
      shape_of_loop(width, long(row_numbers * sizeof(T)), long(weight_count * sizeof(W)), ManyRows);
  static constexpr bool holds_weights = shape.holds_weights;
  static constexpr int lanes = shape.lanes, groups = shape.groups;
  static constexpr int thread_rows = ManyRows ? 4 : 1;
  static constexpr int threads = lanes * groups, rows_together = thread_rows * groups;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, 2 * rows_together * row_numbers> states;
    Array<W, holds_weights ? int(weight_count) : 1> weights;
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
    const int lane = thread.index % lanes, first_of_thread = thread.index / lanes * thread_rows;
    fetch_weights(thread);
    fetch_states(thread, first);
    thread.synchronise();
    for (int n = 0; n < steps.count; ++n) {
      for (int unit = lane; unit < width; unit += lanes)
        make_unit(thread, first, first_of_thread, unit, step_in_memory(steps, n), n % 2 != 0);
      thread.synchronise();  // what a step has written, the next one reads
    }
  }

 private:
  template <class Thread>
  TENON_KERNEL void fetch_weights(Thread& thread) const {
    if constexpr (holds_weights)
      each_number<products>([&](auto p) {
        constexpr int before = int(Loop::loop.weights_before(p)), end = int(Loop::loop.weights_before(p + 1));
        for (int e = thread.index; e < end - before; e += threads)
          thread.shared.weights[before + e] = weights[p][e];
      });
  }
  // A row that is not there has states of zero at every step.
  template <class Thread>
  TENON_KERNEL void fetch_states(Thread& thread, std::ptrdiff_t first) const {
    int column = 0;
    each_number<states>([&](auto s) {
      constexpr int features = Loop::loop.states[s];
      for (int e = thread.index; e < rows_together * features; e += threads) {
        const auto [r, j] = thrust_detail::row_of(e, features);
        const T value = first + r < rows ? begin[s].data[(first + r) * begin[s].row + j] : T(0);
        thread.shared.states[place_of_state(false, rows_together, int(r), row_numbers, column + j)] = value;
        thread.shared.states[place_of_state(true, rows_together, int(r), row_numbers, column + j)] = value;
      }
      column += features;
    });
  }

  // One unit of the thread's rows, at one step. What was ready before the loop is asked for first: it comes while the products are summed.
  template <class Thread>
  TENON_KERNEL void make_unit(Thread& thread, std::ptrdiff_t first, int first_of_thread, int unit, int t,
                              bool odd) const {
    T loaded[thread_rows][load_count + 1]{}, sum[thread_rows][sums]{};
    TENON_UNROLL for (int i = 0; i < thread_rows; ++i) {
      const std::ptrdiff_t row = first + first_of_thread + i;
      if (row < rows) load_ready(row, unit, t, loaded[i], sum[i]);
    }
    each_number<products>([&](auto p) { add_product<p>(thread, first_of_thread, unit, odd, sum); });
    TENON_UNROLL for (int i = 0; i < thread_rows; ++i) {
      const std::ptrdiff_t row = first + first_of_thread + i;
      if (row < rows) finish(thread, row, first_of_thread + i, unit, t, odd, loaded[i], sum[i]);
    }
  }
  TENON_KERNEL void load_ready(std::ptrdiff_t row, int unit, int t, T* loaded, T* sum) const {
    each_number<load_count>([&](auto l) {
      constexpr int of = Loop::body.loads[l].sum, vector = Loop::body.loads[l].packed;
      constexpr bool broadcast = Loop::body.loads[l].broadcast, is_state = Loop::loop.loads[l] >= 0;
      if constexpr (of >= 0 && vector >= 0) sum[of] = vectors[vector * width + unit];
      else if constexpr (vector >= 0) loaded[l] = vectors[vector * width + unit];
      else if constexpr (of < 0 && !is_state)
        loaded[l] = loads[l].data[t * loads[l].step + row * loads[l].row + (broadcast ? 0 : unit)];
    });
  }
  template <int P, class Thread>
  TENON_KERNEL void add_product(Thread& thread, int first_of_thread, int unit, bool odd,
                                T (&sum)[thread_rows][sums]) const {
    constexpr int depth = Loop::stage.products[P].depth, columns = Loop::stage.products[P].columns.size;
    constexpr int column = Loop::loop.products[P], terms = terms_together(columns);
    for (int k = 0; k < depth; k += terms) {
      T factor[terms][columns]{};
      TENON_UNROLL for (int j = 0; j < terms; ++j) {
        if (depth % terms == 0 || k + j < depth) {
          TENON_UNROLL for (int c = 0; c < columns; ++c) {
            factor[j][c] = weight<P>(thread, ((k + j) * columns + c) * width + unit);
          }
        }
      }
      TENON_UNROLL for (int j = 0; j < terms; ++j) {
        if (depth % terms == 0 || k + j < depth) {
          TENON_UNROLL for (int i = 0; i < thread_rows; ++i) {
            const T value = state(thread, odd, first_of_thread + i, column + k + j);
            each_number<columns>(
                [&](auto c) { sum[i][Loop::stage.products[P].sums[c]] += value * factor[j][c]; });
          }
        }
      }
    }
  }
  // The map, of one unit of one row: r is its number in the block.
  template <class Thread>
  TENON_KERNEL void finish(Thread& thread, std::ptrdiff_t row, int r, int unit, int t, bool odd, T* loaded,
                           const T* sum) const {
    T local[Loop::body.code.size + 1];
    each_number<load_count>([&](auto l) {
      constexpr int of = Loop::body.loads[l].sum, column = Loop::loop.loads[l];
      constexpr bool broadcast = Loop::body.loads[l].broadcast;
      if constexpr (of >= 0) loaded[l] = sum[of];
      else if constexpr (column >= 0) loaded[l] = state(thread, odd, r, column + (broadcast ? 0 : unit));
    });
    evaluate<Loop>(loaded, local);
    const bool ended = has_ended(lengths, row, steps.first + t);
    each_number<store_count>([&](auto s) {
      constexpr int column = Loop::loop.stores[s];
      T value = local[Loop::body.stores[s].local];
      if constexpr (column >= 0) {
        if (ended) value = state(thread, odd, r, column + unit);
        thread.shared.states[place_of_state(!odd, rows_together, r, row_numbers, column + unit)] = value;
      }
      stores[s].data[t * stores[s].step + row * stores[s].row + unit] = value;
    });
  }

  template <class Thread>
  TENON_KERNEL static T state(Thread& thread, bool odd, int r, int column) {
    return thread.shared.states[place_of_state(odd, rows_together, r, row_numbers, column)];
  }
  template <int P, class Thread>
  TENON_KERNEL T weight(Thread& thread, int index) const {
    constexpr int before = int(Loop::loop.weights_before(P));
    if constexpr (holds_weights) {
      const W held = thread.shared.weights[before + index];
      return held;
    } else {
      return weights[P][index];
    }
  }
  template <int Count, class F>
  TENON_KERNEL static void each_number(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>{}), ...); }
    (std::make_integer_sequence<int, Count>{});
  }
};

template <bool ManyRows, class Loop, class T, class W>
void run_loop(const loop_steps& steps, int rows, const int* lengths, const operand<const T>* states,
              const W* const* weights, const T* vectors, const operand<const T>* loads,
              const operand<T>* stores) {
  using kernel = loop_block<Loop, T, W, ManyRows>;
  kernel one{};
  one.steps = steps, one.rows = rows, one.lengths = lengths, one.vectors = vectors;
  for (int s = 0; s < kernel::states; ++s) one.begin[s] = states[s];
  for (int p = 0; p < kernel::products; ++p) one.weights[p] = weights[p];
  for (int l = 0; l < kernel::load_count; ++l) one.loads[l] = loads[l];
  for (int s = 0; s < kernel::store_count; ++s) one.stores[s] = stores[s];
  launch(one, {blocks_for(rows, kernel::rows_together)}, "stage_loop");
}

}  // namespace cuda_detail

// states: each at the step that is run first; weights: packed, of each product; loads and stores: at step steps.first, of states too, which
// come from shared memory. A row keeps its states from step lengths[row] on.
template <class Loop, class T, class W>
void stage_loop(cuda, const loop_steps& steps, int rows, const int* lengths, const operand<const T>* states,
                const W* const* weights, const T* vectors, const operand<const T>* loads,
                const operand<T>* stores) {
  using named = typename thrust_detail::named_by_words<Loop>::type;
  if (cuda_detail::has_many_rows(rows, cuda_detail::loop_block<named, T, W, true>::holds_weights))
    cuda_detail::run_loop<true, named>(steps, rows, lengths, states, weights, vectors, loads, stores);
  else cuda_detail::run_loop<false, named>(steps, rows, lengths, states, weights, vectors, loads, stores);
}

}  // namespace tenon::backend::inline TENON_DEVICE
