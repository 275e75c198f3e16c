// row_loop: all steps of a loop of maps and products with transposed matrices in one kernel, such as the backward pass of a recurrent layer.
// Each block has its own rows. Values passed from kernel to kernel and from step to step are in shared memory, and as many weights as fit
// are in registers.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/cuda/loop_shape.hpp"
#include "tenon/backend/cuda/row_kernels.hpp"

#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace cuda_detail {

// Carried: how many numbers of a row go from step to step. Columns: all numbers kept for a row; the first are the carried ones before a step,
// then those after it.
template <class T, bool ManyRows, int Carried, int Columns, class... Kernels>
struct row_loop_block {
  using all = kernels_in_rows<Kernels...>;
  template <int K>
  using kernel = typename all::template kernel<K>;
  static constexpr int load_count = all::load_count, store_count = all::store_count;
  static constexpr int product_count = all::product_count;
  static constexpr loop_shape shape = shape_of_loop(all::widest, 1, (Columns + 1) / 2, sizeof(T), ManyRows);
  static constexpr int lanes = shape.lanes, slices = shape.slices, rows_together = shape.rows;
  static constexpr int threads = shape.threads();
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, rows_together * Columns> numbers;
    Array<T, slices * rows_together * lanes> sums_of_slices;
  };

  loop_steps steps;
  int rows, states;
  const int* lengths;  // null: no row ends before the last step
  row_state<T> state[most_row_states];
  row_load<T> loads[load_count + 1];
  row_store<T> stores[store_count + 1];
  row_product<T> products[product_count];

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t first = std::ptrdiff_t(thread.block.x) * rows_together;
    const int lane = thread.index % lanes, slice = thread.index / lanes;
    fetch_carried(thread, first);
    T kept[kept_before(product_count) + 1], ready[ready_count + 1]{};
    each_number<product_count>([&](auto p) { keep_weights<p>(lane, slice, kept); });
    load_ready(first, thread.index, step_in_memory(steps, 0), ready);
    thread.synchronise();
    for (int n = 0; n < steps.count; ++n) {
      const int t = step_in_memory(steps, n);
      const bool odd = n % 2 != 0;
      keep_next(thread, first, t, odd);
      each_number<all::count>([&](auto k) {
        if constexpr (kernel<k>::depth == 0) {
          run_map<k>(thread, first, t, odd, ready);
          if (k == 0 && n + 1 < steps.count)
            load_ready(first, thread.index, step_in_memory(steps, n + 1), ready);
        } else {
          run_product<k>(thread, lane, slice, odd, kept);
        }
        thread.synchronise();
      });
      if (passes_on(n)) {
        pass_on(thread, first, t, odd, n + 1 == steps.count);
        thread.synchronise();
      }
    }
  }

 private:
  // If the first map has at most one number for each thread, its loads from memory run while the step before is computed.
  static constexpr bool has_ready = kernel<0>::depth == 0 && rows_together * kernel<0>::width <= threads;
  static constexpr int ready_count = has_ready ? kernel<0>::loads : 0;

  // The place of a column of a row. The carried columns before and after a step swap places at every step.
  TENON_HOST_DEVICE static constexpr int place(int r, int column, bool odd) {
    if (odd && column < 2 * Carried) column += column < Carried ? Carried : -Carried;
    return r * Columns + column;
  }
  // To which state carried number e of a row belongs, and which of its numbers it is.
  struct number_of_state {
    int state, j;
  };
  TENON_KERNEL number_of_state state_of(int e) const {
    int s = 0;
    while (s + 1 < states && e >= state[s + 1].column) ++s;
    return {s, e - state[s].column};
  }

  template <class Thread>
  TENON_KERNEL void fetch_carried(Thread& thread, std::ptrdiff_t first) const {
    for (int e = thread.index; e < rows_together * Carried; e += threads) {
      const int r = e / Carried, c = e % Carried;
      const auto [s, j] = state_of(c);
      thread.shared.numbers[place(r, c, false)] =
          first + r < rows ? state[s].begin[(first + r) * state[s].features + j] : T(0);
      thread.shared.numbers[place(r, c, true)] = 0;
    }
    constexpr int others = Columns - 2 * Carried;
    if constexpr (others > 0)
      for (int e = thread.index; e < rows_together * others; e += threads)
        thread.shared.numbers[place(e / others, 2 * Carried + e % others, false)] = 0;
  }
  // Writes the states before a step to memory if they are needed after the loop; zeros for a row that has ended.
  template <class Thread>
  TENON_KERNEL void keep_next(Thread& thread, std::ptrdiff_t first, int t, bool odd) const {
    for (int s = 0; s < states; ++s) {
      if (state[s].next == nullptr) continue;
      const int features = state[s].features;
      for (int e = thread.index; e < rows_together * features; e += threads) {
        const int r = e / features, j = e % features;
        if (first + r >= rows) continue;
        const bool ended = has_ended(lengths, first + r, steps.first + t);
        state[s].next[t * state[s].step + (first + r) * features + j] =
            ended ? T(0) : T(thread.shared.numbers[place(r, state[s].column + j, odd)]);
      }
    }
  }
  TENON_KERNEL bool passes_on(int n) const {
    return lengths != nullptr || n + 1 == steps.count || keeps_all();
  }
  TENON_KERNEL bool keeps_all() const {
    for (int s = 0; s < states; ++s)
      if (state[s].keeps_all) return true;
    return false;
  }
  // A row that has ended keeps its states; and states that are needed after the loop go to memory.
  template <class Thread>
  TENON_KERNEL void pass_on(Thread& thread, std::ptrdiff_t first, int t, bool odd, bool is_last) const {
    for (int e = thread.index; e < rows_together * Carried; e += threads) {
      const int r = e / Carried, c = e % Carried;
      if (first + r >= rows) continue;
      T value = thread.shared.numbers[place(r, Carried + c, odd)];
      if (has_ended(lengths, first + r, steps.first + t)) {
        value = thread.shared.numbers[place(r, c, odd)];
        thread.shared.numbers[place(r, Carried + c, odd)] = value;
      }
      const auto [s, j] = state_of(c);
      if (is_last || keeps_all())
        state[s].adjoint[(steps.first + t) * state[s].adjoint_step + (first + r) * state[s].features + j +
                         (steps.first + t) % 2 * state[s].parity_step] = value;
    }
  }

  TENON_KERNEL T load_from_memory(const row_load<T>& from, std::ptrdiff_t row, int t, int j,
                                  bool broadcast) const {
    return from.data[t * from.step + row * from.row + (broadcast ? 0 : j)];
  }
  TENON_KERNEL void load_ready(std::ptrdiff_t first, int index, int t, T* ready) const {
    if constexpr (has_ready) {
      constexpr int width = kernel<0>::width;
      const int r = index / width, j = index % width;
      if (r >= rows_together || first + r >= rows) return;
      each_number<ready_count>([&](auto l) {
        if (loads[l].column < 0)
          ready[l] = load_from_memory(loads[l], first + r, t, j, kernel<0>::body.loads[l].broadcast);
      });
    }
  }
  template <int K, class Thread>
  TENON_KERNEL void run_map(Thread& thread, std::ptrdiff_t first, int t, bool odd, const T* ready) const {
    using map = kernel<K>;
    for (int e = thread.index; e < rows_together * map::width; e += threads) {
      const int r = e / map::width, j = e % map::width;
      if (first + r >= rows) continue;
      const bool ended = has_ended(lengths, first + r, steps.first + t);
      T loaded[map::loads + 1], local[map::body.code.size + 1];
      each_number<map::loads>([&](auto l) {
        constexpr bool broadcast = map::body.loads[l].broadcast;
        const row_load<T>& from = loads[all::loads_before(K) + l];
        if (from.column >= 0) {
          loaded[l] = thread.shared.numbers[place(r, from.column + (broadcast ? 0 : j), odd)];
          if (ended && from.column < Carried) loaded[l] = 0;  // steps past its end contribute nothing
        } else if constexpr (K == 0 && has_ready) {
          loaded[l] = ready[l];
        } else {
          loaded[l] = load_from_memory(from, first + r, t, j, broadcast);
        }
      });
      evaluate<map>(loaded, local);
      each_number<map::stores>([&](auto s) {
        const row_store<T>& to = stores[all::stores_before(K) + s];
        const T value = local[map::body.stores[s].local];
        if (to.column >= 0) thread.shared.numbers[place(r, to.column + j, odd)] = value;
        if (to.data != nullptr) to.data[t * to.step + (first + r) * to.row + j] = value;
      });
    }
  }

  // How many weights are kept for the products before p.
  static constexpr int kept_before(int p) {
    int sum = 0;
    for (int q = 0; q < p && shape.turns == 1; ++q)
      sum += terms_kept(terms_of_slice(all::depth_of(q), slices), 1, sum, sizeof(T));
    return sum;
  }
  template <int P>
  TENON_KERNEL void keep_weights(int unit, int slice, T* kept) const {
    constexpr int begin = kept_before(P), number = kept_before(P + 1) - begin;
    const int first_term = slice * terms_of_slice(all::depth_of(P), slices);
    TENON_UNROLL for (int j = 0; j < number; ++j) {
      const int k = first_term + j;
      kept[begin + j] = unit < all::size_of(P) && k < all::depth_of(P)
                            ? products[P].w[std::ptrdiff_t(k) * all::size_of(P) + unit]
                            : T(0);
    }
  }
  template <int K, class Thread>
  TENON_KERNEL void run_product(Thread& thread, int lane, int slice, bool odd, const T* kept) const {
    constexpr int p = all::products_before(K), size = kernel<K>::width;
    for (int turn = 0; turn * lanes < size; ++turn) {
      const int unit = turn * lanes + lane;
      T sum[rows_together]{};
      if (unit < size) add_terms<p>(thread, slice, unit, odd, kept, sum);
      TENON_UNROLL for (int r = 0; r < rows_together; ++r) {
        thread.shared.sums_of_slices[(slice * rows_together + r) * lanes + lane] = sum[r];
      }
      thread.synchronise();
      for (int r = slice; r < rows_together && unit < size; r += slices) {
        T total = 0;
        TENON_UNROLL for (int part = 0; part < slices; ++part) {
          total += thread.shared.sums_of_slices[(part * rows_together + r) * lanes + lane];
        }
        thread.shared.numbers[place(r, products[p].to + unit, odd)] = total;
      }
      if (turn + 1 < shape.turns) thread.synchronise();
    }
  }
  template <int P, class Thread>
  TENON_KERNEL void add_terms(Thread& thread, int slice, int unit, bool odd, const T* kept,
                              T (&sum)[rows_together]) const {
    constexpr int depth = all::depth_of(P), size = all::size_of(P), terms = terms_of_slice(depth, slices),
                  together = 8;
    constexpr int begin = kept_before(P), number = kept_before(P + 1) - begin;
    constexpr bool is_whole = depth % slices == 0;
    const int first_term = slice * terms;
    const auto add = [&](int k, T weight) {
      TENON_UNROLL for (int r = 0; r < rows_together; ++r) {
        sum[r] += thread.shared.numbers[place(r, products[P].from + k, odd)] * weight;
      }
    };
    TENON_UNROLL for (int j = 0; j < number; ++j) {
      if (is_whole || first_term + j < depth) add(first_term + j, kept[begin + j]);
    }
    for (int j = number; j < terms; j += together) {
      T weight[together]{};
      TENON_UNROLL for (int i = 0; i < together; ++i) {
        const int k = first_term + j + i;
        if (j + i < terms && (is_whole || k < depth))
          weight[i] = products[P].w[std::ptrdiff_t(k) * size + unit];
      }
      TENON_UNROLL for (int i = 0; i < together; ++i) {
        const int k = first_term + j + i;
        if (j + i < terms && (is_whole || k < depth)) add(k, weight[i]);
      }
    }
  }

  template <int Count, class F>
  TENON_KERNEL static constexpr void each_number(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>{}), ...); }
    (std::make_integer_sequence<int, Count>{});
  }
};

template <bool ManyRows, int Carried, int Columns, class... Kernels, class T>
void run_row_loop(const row_loop_memory<T>& m) {
  using block = row_loop_block<T, ManyRows, Carried, Columns, typename kernel_in_rows<Kernels>::type...>;
  block one{};
  one.steps = m.steps;
  one.rows = m.rows;
  one.lengths = m.lengths;
  one.states = m.states;
  for (int s = 0; s < m.states; ++s) one.state[s] = m.state[s];
  for (int l = 0; l < block::load_count; ++l) one.loads[l] = m.loads[l];
  for (int s = 0; s < block::store_count; ++s) one.stores[s] = m.stores[s];
  for (int p = 0; p < block::product_count; ++p) one.products[p] = m.products[p];
  launch(one, {blocks_for(m.rows, block::rows_together)}, "row_loop");
}

}  // namespace cuda_detail

template <class Shape, class... Kernels, class T>
void row_loop(cuda, const row_loop_memory<T>& m) {
  if (cuda_detail::has_many_rows(m.rows))
    cuda_detail::run_row_loop<true, Shape::carried, Shape::columns, Kernels...>(m);
  else cuda_detail::run_row_loop<false, Shape::carried, Shape::columns, Kernels...>(m);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
