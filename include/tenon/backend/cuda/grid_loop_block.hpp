// The kernel of a loop whose blocks share the units of a layer. A block keeps the weights of its units in registers, for all steps, and reads
// from memory what other blocks have computed in the step before, as soon as it is published.
#pragma once

#include "tenon/backend/cuda/grid_shape.hpp"
#include "tenon/backend/cuda/loop_shape.hpp"
#include "tenon/backend/cuda/several.hpp"
#include "tenon/backend/cuda/shared_sums.hpp"
#include "tenon/backend/thrust/map.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

using thrust_detail::each_number;

template <class Loop, class T, class W, int Units, int Rows>  // W: the type in which a weight is stored
struct grid_loop_block {
  static constexpr int threads = threads_of_grid_loop;
  static constexpr grid_shape shape{Units};
  static constexpr int width = Loop::body.width, sums = Loop::stage.sums, items = Rows * Units;
  static constexpr int products = Loop::stage.products.size, states = Loop::loop.states.size;
  static constexpr int load_count = Loop::body.loads.size, store_count = Loop::body.stores.size;
  static constexpr auto traits = states_of_grid_loop<Loop>();
  static constexpr int items_of_thread = (items + threads - 1) / threads;
  static constexpr int slice_warps = shape.slice_warps(), slices = shape.slices();
  using sums_of_warp = shared_sums<Rows * sums, 16, shape.lanes()>;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, Rows * traits.row> states;
    Array<T, slice_warps * items * sums> sums_of_slices;
  };

  loop_steps steps;
  int rows, groups;
  const int* lengths;              // null: no row ends before the last step
  operand<const T> begin[states];  // the states before the first step
  bool in_fours[states];           // they can be read four numbers at once
  const W* weights[products];
  const T* vectors;
  operand<const T> loads[load_count + 1];  // of the first step in memory
  operand<T> stores[store_count + 1];

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const int lane = thread.index % warp_size, warp = thread.index / warp_size;
    const int own = warp % shape.unit_warps() * shape.lanes() + lane % shape.lanes();
    const int slice_warp = warp / shape.unit_warps();
    const int slice = slice_warp * shape.slice_lanes() + lane / shape.lanes();
    const int first_unit = thread.block.x * Units;
    T kept[kept_before(products) + 1], ready[items_of_thread][load_count + 1]{};
    each_number<products>([&](auto p) { keep_weights<p>(first_unit + own, slice, kept); });
    loop_place now{0, thread.block.y};
    if (now.pass >= passes()) return;
    states_ahead ahead;
    look(thread, now, ahead);
    load_ready(thread.index, first_unit, now, ready);
    while (now.step < steps.count) {
      const loop_place next = after(now);
      const bool is_alone = next.pass == now.pass;  // the states of the next pass are yet to be computed
      share(thread, now, ahead);
      thread.synchronise();
      if (!is_alone) look(thread, next, ahead);
      T sum[Rows * sums]{};
      each_number<products>([&](auto p) { add_product<p>(thread, slice, kept, sum); });
      sums_of_warp::add(thread, sum);
      TENON_UNROLL for (int i = 0; i < sums_of_warp::kept; ++i) {
        const int k = sums_of_warp::first(lane) + i, r = k / sums;
        if (sums_of_warp::writes(lane))
          thread.shared.sums_of_slices[place_of_sum(slice_warp, r * Units + own, k - r * sums)] = sum[i];
      }
      thread.synchronise();
      TENON_UNROLL for (int i = 0; i < items_of_thread; ++i) {
        finish(thread, thread.index + i * threads, first_unit, now, ready[i]);
      }
      load_ready(thread.index, first_unit, next, ready);
      if (is_alone) look(thread, next, ahead);
      now = next;
    }
  }

  // The passes over all rows, which the groups of blocks share.
  TENON_HOST_DEVICE int passes() const { return (rows + Rows - 1) / Rows; }

 private:
  static constexpr int fours_of_row = traits.row / 4, fours_of_width = (width + 3) / 4;
  static constexpr int looks = Rows * fours_of_row, looks_of_thread = (looks + threads - 1) / threads;
  static constexpr bool in_whole_fours = width % 4 == 0;
  struct states_ahead {
    several<T, 4> of[looks_of_thread];
  };

  TENON_KERNEL loop_place after(loop_place now) const {
    if (now.pass + groups < passes()) return {now.step, now.pass + groups};
    return {now.step + 1, now.pass % groups};
  }
  // The state before a step.
  template <int S>
  TENON_KERNEL const T* state_before(int step, std::ptrdiff_t row) const {
    constexpr int store = traits.of[S].store;
    if (step == 0) return begin[S].data + row * begin[S].row;
    return stores[store].data + step_in_memory(steps, step - 1) * stores[store].step +
           row * stores[store].row;
  }

  template <int P>
  struct of_product {
    static constexpr int depth = Loop::stage.products[P].depth,
                         columns = Loop::stage.products[P].columns.size;
    static constexpr int column = Loop::loop.products[P], state = column / width, fours = shape.fours(depth);
    static constexpr int place = traits.of[state].place + column % width;
    static constexpr bool is_whole = depth % (4 * slices) == 0;
  };
  // The number of weights that a thread keeps for the products before p.
  static constexpr int kept_before(int p) {
    if (p == 0) return 0;
    const stage_product& product = Loop::stage.products[p - 1];
    return kept_before(p - 1) + shape.fours(product.depth) * 4 * product.columns.size;
  }
  template <int P>
  TENON_KERNEL void keep_weights(int unit, int slice, T* kept) const {
    using of = of_product<P>;
    TENON_UNROLL for (int j = 0; j < of::fours; ++j) {
      TENON_UNROLL for (int i = 0; i < 4; ++i) {
        const int k = (j * slices + slice) * 4 + i;
        TENON_UNROLL for (int c = 0; c < of::columns; ++c) {
          kept[kept_before(P) + (j * 4 + i) * of::columns + c] =
              unit < width && k < of::depth ? T(weights[P][(k * of::columns + c) * width + unit]) : T(0);
        }
      }
    }
  }

  // Reads the states that the products of a pass need, as they are now. A missing row reads the last row again; its sums are not used.
  template <class Thread>
  TENON_KERNEL void look(Thread& thread, loop_place at, states_ahead& ahead) const {
    if (at.step >= steps.count) return;
    each_look(thread.index, [&](auto s, int i, int r, int j) {
      const std::ptrdiff_t row = std::ptrdiff_t(at.pass) * Rows + r;
      const T* const from = state_before<s>(at.step, row < rows ? row : rows - 1) + j;
      if (in_whole_fours && in_fours[s]) {
        ahead.of[i] = thread.template look<several<T, 4>>(from);
      } else {
        TENON_UNROLL for (int k = 0; k < 4; ++k) {
          ahead.of[i].numbers[k] = in_whole_fours || j + k < width
                                       ? thread.template look<several<T, 1>>(from + k).numbers[0]
                                       : T(0);
        }
      }
    });
  }
  // Puts them into shared memory, when all are published. Those before the first step are.
  template <class Thread>
  TENON_KERNEL void share(Thread& thread, loop_place at, states_ahead& ahead) const {
    const auto all_are_published = [&] {
      bool all = true;
      each_look(thread.index, [&](auto, int i, int, int) {
        TENON_UNROLL for (int k = 0; k < 4; ++k) all = all && is_published(ahead.of[i].numbers[k]);
      });
      return all;
    };
    while (at.step > 0 && !all_are_published()) {
      thread.pause();
      look(thread, at, ahead);
    }
    each_look(thread.index, [&](auto s, int i, int r, int j) {
      TENON_UNROLL for (int k = 0; k < 4; ++k) {
        thread.shared.states[r * traits.row + traits.of[s].place + j + k] = ahead.of[i].numbers[k];
      }
    });
  }
  // Calls f(state, number of the look, row of the pass, first column) for four columns of a state at a time.
  template <class F>
  TENON_KERNEL static void each_look(int thread, F f) {
    TENON_UNROLL for (int i = 0; i < looks_of_thread; ++i) {
      const int e = i * threads + thread;
      if (looks % threads != 0 && e >= looks) continue;
      const int r = e / fours_of_row, j = e % fours_of_row * 4;
      each_number<states>([&](auto s) {
        constexpr grid_state of = traits.of[s];
        if constexpr (of.is_read)
          if (of.place <= j && j < of.place + fours_of_width * 4) f(s, i, r, j - of.place);
      });
    }
  }

  template <int P, class Thread>
  TENON_KERNEL void add_product(Thread& thread, int slice, const T* kept, T* sum) const {
    using of = of_product<P>;
    TENON_UNROLL for (int j = 0; j < of::fours; ++j) {
      TENON_UNROLL for (int r = 0; r < Rows; ++r) {
        T value[4];
        TENON_UNROLL for (int i = 0; i < 4; ++i) {
          const int k = (j * slices + slice) * 4 + i;
          value[i] =
              of::is_whole || k < of::depth ? T(thread.shared.states[r * traits.row + of::place + k]) : T(0);
        }
        TENON_UNROLL for (int i = 0; i < 4; ++i) {
          each_number<of::columns>([&](auto c) {
            sum[r * sums + Loop::stage.products[P].sums[c]] +=
                value[i] * kept[kept_before(P) + (j * 4 + i) * of::columns + c];
          });
        }
      }
    }
  }
  TENON_HOST_DEVICE static constexpr int place_of_sum(int slice_warp, int item, int s) {
    return (slice_warp * items + item) * sums + s;
  }

  // Loads the operands of the maps of a pass: those from before the loop, and own states. Each was written by this thread.
  TENON_KERNEL void load_ready(int thread, int first_unit, loop_place at,
                               T (&ready)[items_of_thread][load_count + 1]) const {
    if (at.step >= steps.count) return;
    const int t = step_in_memory(steps, at.step);
    TENON_UNROLL for (int i = 0; i < items_of_thread; ++i) {
      const int item = thread + i * threads, unit = first_unit + item % Units;
      const std::ptrdiff_t row = std::ptrdiff_t(at.pass) * Rows + item / Units;
      if (item >= items || row >= rows || unit >= width) continue;
      each_number<load_count>([&](auto l) {
        constexpr int of = Loop::body.loads[l].sum, vector = Loop::body.loads[l].packed;
        constexpr bool broadcast = Loop::body.loads[l].broadcast;
        if constexpr (vector >= 0) ready[i][l] = vectors[vector * width + unit];
        else if constexpr (of < 0)
          ready[i][l] = loads[l].data[t * loads[l].step + row * loads[l].row + (broadcast ? 0 : unit)];
      });
    }
  }
  // The map of one unit of one row.
  template <class Thread>
  TENON_KERNEL void finish(Thread& thread, int item, int first_unit, loop_place at,
                           const T (&ready)[load_count + 1]) const {
    const int unit = first_unit + item % Units;
    const std::ptrdiff_t row = std::ptrdiff_t(at.pass) * Rows + item / Units;
    if (item >= items || row >= rows || unit >= width) return;
    T sum[sums]{}, loaded[load_count + 1], local[Loop::body.code.size + 1];
    TENON_UNROLL for (int s = 0; s < sums; ++s) {
      TENON_UNROLL for (int w = 0; w < slice_warps; ++w) {
        sum[s] += thread.shared.sums_of_slices[place_of_sum(w, item, s)];
      }
    }
    each_number<load_count>([&](auto l) {
      constexpr int of = Loop::body.loads[l].sum, vector = Loop::body.loads[l].packed;
      if constexpr (of >= 0) loaded[l] = vector >= 0 ? ready[l] + sum[of] : sum[of];
      else loaded[l] = ready[l];
    });
    evaluate<Loop>(loaded, local);
    const int t = step_in_memory(steps, at.step);
    const bool ended = has_ended(lengths, row, steps.first + t);
    const auto to = [&](auto s) { return stores[s].data + t * stores[s].step + row * stores[s].row + unit; };
    each_number<store_count>([&](auto s) {
      if constexpr (Loop::loop.stores[s] < 0) *to(s) = local[Loop::body.stores[s].local];
    });
    each_number<states>([&](auto s) {
      constexpr int store = traits.of[s].store;
      T value = local[Loop::body.stores[store].local];
      if (ended) value = state_before<s>(at.step, row)[unit];
      T* const here = to(std::integral_constant<int, store>{});
      if constexpr (traits.of[s].is_read) thread.publish(here, publishable(value));
      else *here = value;
    });
  }
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
