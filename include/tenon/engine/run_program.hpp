// Runs the kernels of a schedule: finds the rows of every operand and hands them to the backend's patterns.
#pragma once

#include "tenon/backend/cpu/cpu.hpp"
#include "tenon/backend/reference/reference.hpp"
#include "tenon/equation/schedule.hpp"
#include "tenon/meta/host_device.hpp"

#include <algorithm>

namespace tenon::engine {

// Where an input or output of a program stands: row r of time step t at data[t * step + r * row].
template <class T>
struct binding {
  T* data = nullptr;
  std::ptrdiff_t row = 0;
  std::ptrdiff_t step = 0;
};

// How much of everything a program and its schedules name.
struct program_counts {
  int inputs = 0, outputs = 0, buffers = 0, symbols = 0, kernels = 0;
};

template <class T, program_counts Counts>
struct program_memory {
  int batch = 0;                 // rows of each time step
  int rows = 0;                  // those of them that were given
  const int* lengths = nullptr;  // [batch]; null where no row ends before the last step
  binding<const T> in[Counts.inputs + 1]{};
  bool is_own[Counts.inputs + 1]{};  // kept by the program's forward half: nobody else reads it
  binding<T> out[Counts.outputs + 1]{};
  T* buffers[Counts.buffers + 1]{};
  const T* symbols[Counts.symbols + 1]{};  // values of the parameters
  T* gradients[Counts.symbols + 1]{};      // their gradients; null in inference
  const T* packed[Counts.kernels + 1]{};   // packed weights, by kernel
};

namespace detail {

template <class Schedule, int Kernel>
struct kernel_body {
  static constexpr map_body body = body_of(Schedule::value, Kernel);
};

template <class T>
TENON_ALWAYS_INLINE inline backend::operand<T> as_operand(const binding<T>& b) {
  return {b.data, b.row, b.step};
}

// The rows of a place from time step t on. Timeless: the same row for all steps.
template <class Schedule, class T, program_counts C>
TENON_ALWAYS_INLINE inline binding<const T> source(const program_memory<T, C>& m, const place& p, int t,
                                                   bool timeless) {
  switch (p.in) {
    case space::input: {
      const binding<const T>& b = m.in[p.index];
      return {b.data + t * b.step + p.column, b.row, timeless ? 0 : b.step};
    }
    case space::output: {
      const binding<T>& b = m.out[p.index];
      return {b.data + t * b.step + p.column, b.row, timeless ? 0 : b.step};
    }
    case space::buffer: {
      const std::ptrdiff_t step =
          Schedule::value.buffers[p.index].all_rows && !timeless ? std::ptrdiff_t(m.batch) * p.stride : 0;
      return {m.buffers[p.index] + t * step + p.column, p.stride, step};
    }
    default:
      return {m.symbols[p.index], 0, 0};
  }
}
template <class Schedule, class T, program_counts C>
TENON_ALWAYS_INLINE inline binding<T> target(const program_memory<T, C>& m, const place& p, int t) {
  if (p.in == space::output) {
    const binding<T>& b = m.out[p.index];
    return {b.data + t * b.step + p.column, b.row, b.step};
  }
  const std::ptrdiff_t step =
      Schedule::value.buffers[p.index].all_rows ? std::ptrdiff_t(m.batch) * p.stride : 0;
  return {m.buffers[p.index] + t * step + p.column, p.stride, step};
}

template <class Schedule, int K, class Backend, class T, program_counts C>
void run_map(const program_memory<T, C>& m, int t, int steps) {
  using body = kernel_body<Schedule, K>;
  backend::operand<const T> loads[body::body.loads.size + 1];
  backend::operand<T> stores[body::body.stores.size + 1];
  [&]<int... L>(
      std::integer_sequence<int,
                            L...>) {  // constant positions: each operand's place is known to the optimiser
    ((loads[L] = as_operand(source<Schedule>(m, body::body.loads[L].from, t, body::body.loads[L].timeless))),
     ...);
  }
  (std::make_integer_sequence<int, body::body.loads.size>{});
  [&]<int... S>(std::integer_sequence<int, S...>) {
    ((stores[S] = as_operand(target<Schedule>(m, body::body.stores[S].to, t))), ...);
  }
  (std::make_integer_sequence<int, body::body.stores.size>{});
  backend::map<body>(Backend{}, Schedule::value.kernels[K].timeless ? 1 : steps, m.batch, loads, stores);
}

// The sums over rows are where one row could touch another. An equation may have no value at zero, which is
// what stands past a sequence's end, and 0 * inf is no zero: before a sum, such rows of the program's own
// values are cleared.
template <class Schedule, int Width, class T, program_counts C>
void clear_padding(const program_memory<T, C>& m, const place& p, int t, int steps) {
  if (m.lengths == nullptr || (p.in != space::buffer && p.in != space::input)) return;
  if (p.in == space::input && !m.is_own[p.index]) return;
  const binding<const T> b = source<Schedule>(m, p, t, false);
  for (int n = 0; n < steps; ++n)
    for (int r = 0; r < m.batch; ++r)
      if (t + n >= m.lengths[r])
        std::fill_n(const_cast<T*>(b.data) + n * b.step + r * b.row, Width, T(0));  // own memory
}

template <class Schedule, int K, class Backend, class T, program_counts C>
void run_kernel(const program_memory<T, C>& m, int t, int steps) {
  constexpr const schedule& s = Schedule::value;
  constexpr kernel k = s.kernels[K];
  if constexpr (k.what == pattern::map) {
    run_map<Schedule, K, Backend>(m, t, steps);
  } else {
    constexpr instruction i = s.equations.code[k.value];
    const int rows = k.timeless ? m.rows : steps * m.batch;
    const auto a = source<Schedule>(m, s.places[i.a], t, false);
    constexpr bool sums_rows =
        k.what == pattern::gradient_outer || k.what == pattern::gradient_sum || k.what == pattern::time_sum;
    if constexpr (sums_rows && !k.timeless)
      clear_padding<Schedule, s.equations.code[i.a].size>(m, s.places[i.a], t, steps);
    if constexpr (k.what == pattern::contract) {
      const auto y = target<Schedule>(m, s.places[k.value], t);
      backend::contract<i.size, s.equations.code[i.a].size>(Backend{}, rows, a.data, a.row, m.packed[K],
                                                            y.data, y.row);
    } else if constexpr (k.what == pattern::contract_transposed) {
      const auto dx = target<Schedule>(m, s.places[k.value], t);
      backend::contract_transposed<s.equations.code[i.a].size, i.size>(Backend{}, rows, a.data, a.row,
                                                                       m.symbols[i.first], dx.data, dx.row);
    } else if constexpr (k.what == pattern::gradient_outer) {
      const auto x = source<Schedule>(m, s.places[i.b], t, false);
      if constexpr (!k.timeless)
        clear_padding<Schedule, s.equations.code[i.b].size>(m, s.places[i.b], t, steps);
      backend::gradient_outer<s.equations.code[i.a].size, s.equations.code[i.b].size>(
          Backend{}, rows, a.data, a.row, x.data, x.row, m.gradients[i.first]);
    } else if constexpr (k.what == pattern::gradient_sum) {
      backend::gradient_sum<s.equations.code[i.a].size>(Backend{}, rows, a.data, a.row, m.gradients[i.first]);
    } else {
      const auto y = target<Schedule>(m, s.places[k.value], 0);
      backend::time_sum<i.size>(Backend{}, steps, m.batch, a.data, a.row, a.step, y.data, y.row);
    }
  }
}

}  // namespace detail

// Runs one phase of a schedule on `steps` time steps from step t on.
template <class Schedule, phase When, class Backend, class T, program_counts C>
void run_phase(const program_memory<T, C>& m, int t, int steps) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          if constexpr (Schedule::value.kernels[K].when == When)
            detail::run_kernel<Schedule, K, Backend>(m, t, steps);
        }(),
        ...);
  }
  (std::make_integer_sequence<int, Schedule::value.kernels.size>{});
}

// Packs the weights that the contractions of a forward schedule read: packed[k] is the place of kernel k's
// weights.
template <class Schedule, class Backend, class T>
void pack_weights(const T* const* symbols, T* const* packed) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          if constexpr (Schedule::value.kernels[K].what == pattern::contract) {
            constexpr instruction i = Schedule::value.equations.code[Schedule::value.kernels[K].value];
            backend::pack<i.size, Schedule::value.equations.code[i.a].size>(Backend{}, symbols[i.first],
                                                                            packed[K]);
          }
        }(),
        ...);
  }
  (std::make_integer_sequence<int, Schedule::value.kernels.size>{});
}

}  // namespace tenon::engine
