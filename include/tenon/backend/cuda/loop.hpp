// stage_loop: all steps of a recurrent layer in one kernel, if the loop is one stage: an LSTM's or a GRU's product with its state, and its
// gates. Each block computes all units of its own rows, so that no block waits for another. From step to step the states are in shared
// memory, and as many weights as fit are in registers. The results of every step are written to memory as usual, for the kernels after it.
// Layers of few units have a kernel of their own, in narrow_loop.hpp.
// If a block cannot hold the weights, blocks share the units: grid_loop.hpp.
#pragma once

#include "tenon/backend/cuda/grid_loop.hpp"
#include "tenon/backend/cuda/loop_kernel.hpp"
#include "tenon/backend/cuda/loop_shape.hpp"
#include "tenon/backend/cuda/narrow_loop.hpp"
#include "tenon/backend/cuda/stage.hpp"

#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace cuda_detail {

template <class Loop, class T, class W, bool ManyRows>  // W: the type in which a weight is stored
struct loop_block {
  static constexpr int width = Loop::body.width, sums = Loop::stage.sums, row_numbers = Loop::loop.row();
  static constexpr int products = Loop::stage.products.size, states = Loop::loop.states.size;
  static constexpr int load_count = Loop::body.loads.size, store_count = Loop::body.stores.size;
  static constexpr loop_shape shape = shape_of_loop(width, sums, row_numbers, sizeof(T), ManyRows);
  static constexpr int lanes = shape.lanes, slices = shape.slices, rows_together = shape.rows;
  static constexpr int threads = shape.threads();
  static constexpr int rows_of_thread = (rows_together + slices - 1) / slices;  // whose maps it computes
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, 2 * rows_together * row_numbers> states;
    Array<T, slices * sums * rows_together * lanes> sums_of_slices;
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
    const int lane = thread.index % lanes, slice = thread.index / lanes;
    fetch_states(thread, first);
    T kept[kept_before(products) + 1], ready[rows_of_thread][load_count + 1]{};
    each_number<products>([&](auto p) { keep_weights<p>(lane, slice, kept); });
    load_ready(first, lane, slice, step_in_memory(steps, 0), ready);
    thread.synchronise();
    for (int n = 0; n < steps.count; ++n)
      for (int turn = 0; turn < shape.turns; ++turn) {
        const int unit = turn * lanes + lane;
        add_up(thread, lane, slice, unit, n % 2 != 0, kept);
        thread.synchronise();
        finish(thread, first, lane, slice, unit, step_in_memory(steps, n), n % 2 != 0, ready);
        // Operands from before the loop are loaded while the next sums are computed.
        const bool same_step = turn + 1 < shape.turns;
        if (same_step || n + 1 < steps.count)
          load_ready(first, (same_step ? (turn + 1) * lanes : 0) + lane, slice,
                     step_in_memory(steps, same_step ? n : n + 1), ready);
        thread.synchronise();  // the next step reads what this one has written
      }
  }

 private:
  template <int P>
  struct of_product {
    static constexpr int depth = Loop::stage.products[P].depth,
                         columns = Loop::stage.products[P].columns.size;
    static constexpr int column = Loop::loop.products[P], terms = terms_of_slice(depth, slices);
    static constexpr bool is_whole = depth % slices == 0;
  };
  // The number of terms of product p whose weights are kept, and of the weights kept for all products before p.
  static constexpr int kept_terms(int p) {
    if (shape.turns > 1) return 0;
    const stage_product& product = Loop::stage.products[p];
    return terms_kept(terms_of_slice(product.depth, slices), product.columns.size, kept_before(p), sizeof(T));
  }
  static constexpr int kept_before(int p) {
    return p == 0 ? 0 : kept_before(p - 1) + kept_terms(p - 1) * Loop::stage.products[p - 1].columns.size;
  }
  template <int P>
  TENON_KERNEL void keep_weights(int unit, int slice, T* kept) const {
    using of = of_product<P>;
    constexpr int count = kept_terms(P), before = kept_before(P);
    TENON_UNROLL for (int j = 0; j < count; ++j) {
      const int k = slice * of::terms + j;
      TENON_UNROLL for (int c = 0; c < of::columns; ++c) {
        kept[before + j * of::columns + c] =
            unit < width && k < of::depth ? T(weights[P][(k * of::columns + c) * width + unit]) : T(0);
      }
    }
  }
  // A missing row has states of zero at every step.
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

  // Loads the operands from before the loop, for one unit of the rows whose maps this thread computes.
  TENON_KERNEL void load_ready(std::ptrdiff_t first, int unit, int slice, int t,
                               T (&ready)[rows_of_thread][load_count + 1]) const {
    TENON_UNROLL for (int i = 0; i < rows_of_thread; ++i) {
      const int r = slice + i * slices;
      if (r >= rows_together || first + r >= rows || unit >= width) continue;
      each_number<load_count>([&](auto l) {
        constexpr int of = Loop::body.loads[l].sum, vector = Loop::body.loads[l].packed;
        constexpr bool broadcast = Loop::body.loads[l].broadcast, is_state = Loop::loop.loads[l] >= 0;
        if constexpr (vector >= 0) ready[i][l] = vectors[vector * width + unit];
        else if constexpr (of < 0 && !is_state)
          ready[i][l] =
              loads[l].data[t * loads[l].step + (first + r) * loads[l].row + (broadcast ? 0 : unit)];
      });
    }
  }
  // Adds up a slice's terms of the sums of one unit, for all rows.
  template <class Thread>
  TENON_KERNEL void add_up(Thread& thread, int lane, int slice, int unit, bool odd, const T* kept) const {
    T sum[rows_together][sums]{};
    if (unit < width)
      each_number<products>([&](auto p) { add_product<p>(thread, slice, unit, odd, kept, sum); });
    TENON_UNROLL for (int r = 0; r < rows_together; ++r) {
      TENON_UNROLL for (int s = 0; s < sums; ++s) {
        thread.shared.sums_of_slices[place_of_sum(slice, s, r, lane)] = sum[r][s];
      }
    }
  }
  template <int P, class Thread>
  TENON_KERNEL void add_product(Thread& thread, int slice, int unit, bool odd, const T* kept,
                                T (&sum)[rows_together][sums]) const {
    using of = of_product<P>;
    constexpr int count = kept_terms(P), before = kept_before(P), together = terms_together(of::columns);
    const int first_term = slice * of::terms;
    TENON_UNROLL for (int j = 0; j < count; ++j) {
      if (of::is_whole || first_term + j < of::depth)
        add_term<P>(thread, odd, first_term + j, kept + before + j * of::columns, sum);
    }
    for (int j = count; j < of::terms; j += together) {
      T factor[together][of::columns]{};
      TENON_UNROLL for (int i = 0; i < together; ++i) {
        const int k = first_term + j + i;
        if (j + i < of::terms && (of::is_whole || k < of::depth)) {
          TENON_UNROLL for (int c = 0; c < of::columns; ++c) {
            factor[i][c] = weights[P][(k * of::columns + c) * width + unit];
          }
        }
      }
      TENON_UNROLL for (int i = 0; i < together; ++i) {
        const int k = first_term + j + i;
        if (j + i < of::terms && (of::is_whole || k < of::depth)) add_term<P>(thread, odd, k, factor[i], sum);
      }
    }
  }
  template <int P, class Thread>
  TENON_KERNEL void add_term(Thread& thread, bool odd, int k, const T* factor,
                             T (&sum)[rows_together][sums]) const {
    TENON_UNROLL for (int r = 0; r < rows_together; ++r) {
      const T value = state(thread, odd, r, of_product<P>::column + k);
      each_number<of_product<P>::columns>(
          [&](auto c) { sum[r][Loop::stage.products[P].sums[c]] += value * factor[c]; });
    }
  }
  // The map of one unit.
  template <class Thread>
  TENON_KERNEL void finish(Thread& thread, std::ptrdiff_t first, int lane, int slice, int unit, int t,
                           bool odd, const T (&ready)[rows_of_thread][load_count + 1]) const {
    TENON_UNROLL for (int i = 0; i < rows_of_thread; ++i) {
      const int r = slice + i * slices;
      const std::ptrdiff_t row = first + r;
      if (r >= rows_together || row >= rows || unit >= width) continue;
      T sum[sums]{}, loaded[load_count + 1], local[Loop::body.code.size + 1];
      TENON_UNROLL for (int s = 0; s < sums; ++s) {
        TENON_UNROLL for (int part = 0; part < slices; ++part) {
          sum[s] += thread.shared.sums_of_slices[place_of_sum(part, s, r, lane)];
        }
      }
      each_number<load_count>([&](auto l) {
        constexpr int of = Loop::body.loads[l].sum, vector = Loop::body.loads[l].packed;
        constexpr int column = Loop::loop.loads[l];
        constexpr bool broadcast = Loop::body.loads[l].broadcast;
        if constexpr (of >= 0) loaded[l] = vector >= 0 ? ready[i][l] + sum[of] : sum[of];
        else if constexpr (column >= 0) loaded[l] = state(thread, odd, r, column + (broadcast ? 0 : unit));
        else loaded[l] = ready[i][l];
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
  }

  template <class Thread>
  TENON_KERNEL static T state(Thread& thread, bool odd, int r, int column) {
    return thread.shared.states[place_of_state(odd, rows_together, r, row_numbers, column)];
  }
  TENON_HOST_DEVICE static constexpr int place_of_sum(int slice, int s, int r, int lane) {
    return ((slice * sums + s) * rows_together + r) * lanes + lane;
  }
  template <int Count, class F>
  TENON_KERNEL static void each_number(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>{}), ...); }
    (std::make_integer_sequence<int, Count>{});
  }
};

template <class Kernel, class T, class W>
void run_loop(const loop_steps& steps, int rows, const int* lengths, const operand<const T>* states,
              const W* const* weights, const T* vectors, const operand<const T>* loads,
              const operand<T>* stores) {
  const Kernel one = loop_kernel<Kernel>(steps, rows, lengths, states, weights, vectors, loads, stores);
  launch(one, {blocks_for(rows, Kernel::rows_together)}, "stage_loop");
}
template <class Loop, class T, class W, bool ManyRows>
using kernel_of_loop = std::conditional_t<is_narrow_loop<Loop, T>, narrow_loop_block<Loop, T, W, ManyRows>,
                                          loop_block<Loop, T, W, ManyRows>>;

}  // namespace cuda_detail

// states: the states before the step that runs first; weights: the packed weights of each product; loads and stores: at step steps.first.
// They include those of states, whose loads come from shared memory instead. A row keeps its states from step lengths[row] on.
template <class Loop, class T, class W>
void stage_loop(cuda, const loop_steps& steps, int rows, const int* lengths, const operand<const T>* states,
                const W* const* weights, const T* vectors, const operand<const T>* loads,
                const operand<T>* stores) {
  using named = typename thrust_detail::named_by_words<Loop>::type;
  if constexpr (Loop::loop.weights() >= cuda_detail::least_weights_of_grid)
    cuda_detail::run_grid_loop<named>(steps, rows, lengths, states, weights, vectors, loads, stores);
  else if (cuda_detail::has_many_rows(rows))
    cuda_detail::run_loop<cuda_detail::kernel_of_loop<named, T, W, true>>(steps, rows, lengths, states,
                                                                          weights, vectors, loads, stores);
  else
    cuda_detail::run_loop<cuda_detail::kernel_of_loop<named, T, W, false>>(steps, rows, lengths, states,
                                                                           weights, vectors, loads, stores);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
