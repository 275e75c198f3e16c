// Runs a schedule: the kernels of each phase, in their order.
#pragma once

#include "tenon/engine/run/kernels/axis.hpp"
#include "tenon/engine/run/kernels/map.hpp"
#include "tenon/engine/run/kernels/product.hpp"

namespace tenon::inline v0_1::engine {

namespace detail {

constexpr bool is_product(kernel_kind kind) {
  return kind == kernel_kind::matmul || kind == kernel_kind::matmul_transposed ||
         kind == kernel_kind::gradient_outer || kind == kernel_kind::gradient_sum;
}

template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_kernel(const program_memory<T, C>& m, int t, int steps) {
  constexpr schedule_view s = Schedule::value;
  constexpr kernel k = s.kernels[K];
  if constexpr (only_serves_next_step(s, K))
    if (m.ends_loop) return;
  if constexpr (k.kind == kernel_kind::map) {
    run_map<Schedule, K, Backend>(m, t, steps);
  } else if constexpr (is_of_pairs(k.kind)) {
    run_pairs<Schedule, K, Backend>(m, t);
  } else if constexpr (k.of_table) {
    run_product_of_table<Schedule, K, Backend>(m, t, steps);
  } else if constexpr (k.neighbours > 0) {
    run_product_of_windows<Schedule, K, Backend>(m, t, steps);
  } else if constexpr (k.stage < 0) {
    if constexpr (k.kind == kernel_kind::gradient_outer && reads_state(s, s.equations.code[k.value].b)) {
      const bool is_last = m.zero_step == t + steps - 1;  // or the first, if it is among these steps at all
      if (steps > 0 && (m.zero_step == t || is_last)) {
        t += !is_last;
        --steps;
      }
    }
    if constexpr (k.runs_along() == dimension::inner) steps = m.inner_steps;
    if constexpr (k.kind == kernel_kind::as_features || k.kind == kernel_kind::from_features)
      run_features<Schedule, K, Backend>(m, t, steps);
    else if constexpr (k.kind == kernel_kind::keep || k.kind == kernel_kind::earlier)
      run_history<Schedule, K, Backend>(m, t, steps);
    else if constexpr (is_product(k.kind)) run_product<Schedule, K, Backend>(m, t, steps);
    else run_over_axis<Schedule, K, Backend>(m, t, steps);
  }
}

template <class Schedule, phase When>
constexpr int kernels_in = [] {
  int n = 0;
  for (const kernel& k : Schedule::value.kernels) n += k.when == When;
  return n;
}();
template <class Schedule, phase When>
constexpr auto kernels_of = [] {
  list<int, kernels_in<Schedule, When>> all;
  for (int k = 0; k < Schedule::value.kernels.size; ++k)
    if (Schedule::value.kernels[k].when == When) all.add(k);
  return all;
}();

// Kernels whose sums are over all steps of the loop.
constexpr bool sums_over_loop(const kernel& k) {
  return k.kind == kernel_kind::accumulate || k.kind == kernel_kind::pair_sums_over_time;
}
template <class Schedule>
constexpr int loop_sums_in = [] {
  int n = 0;
  for (const kernel& k : Schedule::value.kernels) n += sums_over_loop(k);
  return n;
}();
template <class Schedule>
constexpr auto loop_sums_of = [] {
  list<int, loop_sums_in<Schedule>> all;
  for (int k = 0; k < Schedule::value.kernels.size; ++k)
    if (sums_over_loop(Schedule::value.kernels[k])) all.add(k);
  return all;
}();

// Row r of a batch as a batch of its own, whose rows are the steps of row r.
template <class T>
operand<T> row_of(const operand<T>& b, int r) {
  return {b.data + r * b.row, b.step != 0 ? b.step : b.row, b.step};
}

}  // namespace detail

// Sets the sums over all steps of the loop to zero.
template <class Schedule, class Backend, class T, program_counts C>
inline void begin_loop([[maybe_unused]] const program_memory<T, C>& m) {
  repeat<detail::loop_sums_in<Schedule>>([&](auto n) {
    constexpr kernel sum = Schedule::value.kernels[detail::loop_sums_of<Schedule>[n]];
    constexpr place made = detail::place_of<Schedule>(sum.value);
    constexpr int width = Schedule::value.equations.code[sum.value].size;
    const auto y = detail::target<dimension::inner>(m, made, 0);
    clear_rows<width>(Backend{}, m.inner_steps * m.batch, y.data, y.row);
  });
}

// Runs one phase of a schedule on `steps` time steps from step t on.
template <class Schedule, phase When, class Backend, class T, program_counts C>
inline void run_phase([[maybe_unused]] const program_memory<T, C>& m, [[maybe_unused]] int t,
                      [[maybe_unused]] int steps) {
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (detail::run_kernel<Schedule, detail::kernels_of<Schedule, When>[N], Backend>(m, t, steps), ...);
  }
  (std::make_integer_sequence<int, detail::kernels_in<Schedule, When>>{});
}

// The steps of a loop that a schedule runs at once.
template <class Schedule>
constexpr int steps_at_once = Schedule::value.lanes > 0 ? Schedule::value.lanes : 1;

namespace detail {

// Runs `rows` sequences from row `first` on. The buffers hold one.
template <class Schedule, class Backend, class T, program_counts C>
inline void run_rows(const program_memory<T, C>& m, int steps, int first, int rows) {
  constexpr int together = engine::steps_at_once<Schedule>;
  constexpr int inputs = Schedule::value.equations.inputs.size,
                outputs = Schedule::value.equations.outputs.size;
  program_memory<T, C> one = m;
  one.batch = one.rows = 1;
  one.lengths = one.inner_lengths = nullptr;
  const auto run = [&](int r, int length, int inner_length) {
    for (int i = 0; i < inputs; ++i) one.in[i] = row_of(m.in[i], first + r);
    for (int o = 0; o < outputs; ++o) one.out[o] = row_of(m.out[o], first + r);
    one.inner_steps = inner_length;
    begin_loop<Schedule, Backend>(one);
    run_phase<Schedule, phase::before, Backend>(one, 0, length);
    for (int t = 0; t < length; t += together) {
      one.block = together < length - t ? together : length - t;
      run_phase<Schedule, phase::loop, Backend>(one, t, 1);
    }
    run_phase<Schedule, phase::after, Backend>(one, 0, length);
  };
  const auto from_first = [first](const int* lengths) {
    return lengths == nullptr ? nullptr : lengths + first;
  };
  each_sequence(Backend{}, rows, from_first(m.lengths), steps, from_first(m.inner_lengths), m.inner_steps,
                run);
}

// Does no sequence write what others read or write?
template <class Schedule>
constexpr bool sequences_are_apart = [] {
  bool apart = true;
  for (const kernel& k : Schedule::value.kernels)
    apart = apart && k.kind != kernel_kind::gradient_outer && k.kind != kernel_kind::gradient_sum;
  for (const buffer& b : Schedule::value.buffers) apart = apart && !b.once && b.kept_steps == 0;
  return apart;
}();
// Several threads run some sequences each, all but the first in buffers of their own.
template <class Schedule, class Backend, class T, program_counts C>
inline bool share_sequences(const program_memory<T, C>& m, int steps) {
  const auto length = [&](const buffer& b) {
    return long(b.width) * (b.all_rows ? steps : 1) * (b.inner ? m.inner_steps : 1);
  };
  const long numbers = long(widest_map(Schedule::value)) * steps * m.rows;
  return m.rows > 1 &&
         share<Backend>(m, numbers >= abilities_of<Backend, T>.sharing.numbers_at_once, [&](piece mine) {
           program_memory<T, C> own = m;
           own.threads = nullptr;
           T* next = m.threads->scratch(mine);
           for (int b = 0; b < Schedule::value.buffers.size && mine.number > 0; ++b) {
             own.buffers[b] = next;
             next += in_whole_lines(length(Schedule::value.buffers[b]));
           }
           run_rows<Schedule, Backend>(own, steps, mine.start(m.rows), mine.end(m.rows) - mine.start(m.rows));
         });
}

}  // namespace detail

// Runs all phases for one sequence after the other, each up to its length. Values between phases stay in the cache,
// with their steps contiguous, whatever the number of rows in the batch. The loop runs many steps at once.
template <class Schedule, class Backend, class T, program_counts C>
inline void run_sequences(const program_memory<T, C>& m, int steps) {
  if constexpr (C.shared && detail::sequences_are_apart<Schedule>)
    if (detail::share_sequences<Schedule, Backend>(m, steps)) return;
  detail::run_rows<Schedule, Backend>(m, steps, 0, m.rows);
}

}  // namespace tenon::inline v0_1::engine
