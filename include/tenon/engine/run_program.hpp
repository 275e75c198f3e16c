// Runs the kernels of a schedule: finds the rows of every operand and hands them to the backend's patterns.
#pragma once

#include "tenon/engine/packing.hpp"
#include "tenon/engine/program_memory.hpp"
#include "tenon/meta/host_device.hpp"

namespace tenon::engine {

namespace detail {

template <class T>
inline backend::operand<T> as_operand(const binding<T>& b) {
  return {b.data, b.row, b.step};
}

// A place, and whether its buffer has rows for each time step: all that a run needs to know of a schedule's tables.
struct located {
  place at{};
  bool all_rows = false;
};
template <class Schedule>
constexpr located locate(const place& p) {
  return {p, p.in == space::buffer && Schedule::value.buffers[p.index].all_rows};
}
template <class Schedule>
constexpr located locate(int value) {
  return locate<Schedule>(Schedule::value.places[value]);
}

// The rows of a place from time step t on. Timeless: the same row for all steps.
template <class T, program_counts C>
inline binding<const T> source(const program_memory<T, C>& m, located p, int t, bool timeless) {
  switch (p.at.in) {
    case space::input: {
      const binding<const T>& b = m.in[p.at.index];
      return {b.data + t * b.step + p.at.column, b.row, timeless ? 0 : b.step};
    }
    case space::output: {
      const binding<T>& b = m.out[p.at.index];
      return {b.data + t * b.step + p.at.column, b.row, timeless ? 0 : b.step};
    }
    case space::buffer: {
      const std::ptrdiff_t step = p.all_rows && !timeless ? std::ptrdiff_t(m.batch) * p.at.stride : 0;
      return {m.buffers[p.at.index] + (t - m.first_step) * step + p.at.column, p.at.stride, step};
    }
    default:
      return {m.symbols[p.at.index], 0, 0};
  }
}
template <class T, program_counts C>
inline binding<T> target(const program_memory<T, C>& m, located p, int t) {
  if (p.at.in == space::output) {
    const binding<T>& b = m.out[p.at.index];
    return {b.data + t * b.step + p.at.column, b.row, b.step};
  }
  const std::ptrdiff_t step = p.all_rows ? std::ptrdiff_t(m.batch) * p.at.stride : 0;
  return {m.buffers[p.at.index] + (t - m.first_step) * step + p.at.column, p.at.stride, step};
}

constexpr bool sums_steps(const map_body& body) {
  for (const map_store& s : body.stores)
    if (s.over_steps) return true;
  return false;
}
// A sum over time steps stands in one row for each row of the batch. It begins at zero or with what is there, and
// goes on where earlier steps have been summed.
template <class Kernel, class T>
void begin_sums(int rows, bool continues, backend::operand<T>* stores) {
  repeat<Kernel::body.stores.size>([&](auto s) {
    constexpr map_store store = Kernel::body.stores[s];
    if constexpr (store.over_steps) stores[s].step = 0;
    if constexpr (store.over_steps && !store.adds)
      for (int r = 0; r < rows && !continues; ++r)
        std::fill_n(stores[s].data + r * stores[s].row, Kernel::body.width, T(0));
  });
}
// A map over those rows whose sequences have not ended: what stands behind may have no value (0 * inf), and must
// not be added to anything. No store is written in rows that have ended.
template <class Kernel, class Backend, class T, program_counts C>
void map_before_ends(const program_memory<T, C>& m, int t, int steps, const backend::operand<const T>* loads,
                     const backend::operand<T>* stores) {
  const auto moved = [](auto* operands, auto* to, int count, int step, int row) {
    for (int k = 0; k < count; ++k) {
      to[k] = operands[k];
      to[k].data += step * operands[k].step + row * operands[k].row;
    }
  };
  for (int n = 0; n < steps; ++n)
    for (int first = 0, end = 0; first < m.batch; first = end + 1) {
      for (end = first; end < m.batch && t + n < m.lengths[end];) ++end;
      if (end == first) continue;
      backend::operand<const T> from[Kernel::body.loads.size + 1];
      backend::operand<T> to[Kernel::body.stores.size + 1];
      moved(loads, from, Kernel::body.loads.size, n, first);
      moved(stores, to, Kernel::body.stores.size, n, first);
      backend::map<Kernel>(Backend{}, 1, end - first, from, to);
    }
}

// Where map K finds what it loads and stores, in lists of their own length.
struct located_load {
  located from{};
  bool timeless = false;
  bool is_sum = false;  // in a stage: not loaded from here
};
template <class Schedule, int K>
struct operands_of {
  using map = kernel_body<Schedule, K>;
  static constexpr auto loads = [] {
    list<located_load, map::body.loads.size> all;
    for (const map_load& l : map::body.loads)
      all.add({locate<Schedule>(l.from), l.timeless, l.sum >= 0 || l.packed >= 0});
    return all;
  }();
  static constexpr auto stores = [] {
    list<located, map::body.stores.size> all;
    for (const map_store& s : map::body.stores) all.add(locate<Schedule>(s.to));
    return all;
  }();
};
template <class T, program_counts C>
inline backend::operand<const T> load_from(const program_memory<T, C>& m, located_load load, int t) {
  if (load.is_sum) return {};
  return as_operand(source(m, load.from, t, load.timeless));
}
// What map K loads and stores from step t on.
template <class Schedule, int K, class T, program_counts C>
inline void find_operands(const program_memory<T, C>& m, int t, backend::operand<const T>* loads,
                          backend::operand<T>* stores) {
  using operands = operands_of<Schedule, K>;
  [&]<int... L, int... S>(std::integer_sequence<int, L...>, std::integer_sequence<int, S...>) {
    ((loads[L] = load_from(m, operands::loads[L], t)), ...);
    ((stores[S] = as_operand(target(m, operands::stores[S], t))), ...);
  }
  (std::make_integer_sequence<int, operands::loads.size>{},
   std::make_integer_sequence<int, operands::stores.size>{});
}
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_map(const program_memory<T, C>& m, int t, int steps) {
  using body = kernel_body<Schedule, K>;
  backend::operand<const T> loads[body::body.loads.size + 1];
  backend::operand<T> stores[body::body.stores.size + 1];
  find_operands<Schedule, K>(m, t, loads, stores);
  constexpr bool once = Schedule::value.kernels[K].timeless;
  steps = once ? 1 : steps;
  using code = typename body::code;
  if constexpr (sums_steps(body::body)) {
    begin_sums<code>(m.batch, m.continues, stores);
    if (m.lengths == nullptr) backend::map<code>(Backend{}, steps, m.batch, loads, stores);
    else map_before_ends<code, Backend>(m, t, steps, loads, stores);
  } else if constexpr (body::stage.products.empty()) {
    backend::map<code>(Backend{}, steps, m.batch, loads, stores);
  } else {
    backend::stage_rows<T> rows[body::stage.products.size];
    repeat<body::stage.products.size>([&](auto p) {
      constexpr int product = body::stage.products[p].kernel;
      constexpr instruction i = Schedule::value.equations.code[Schedule::value.kernels[product].value];
      constexpr located from = locate<Schedule>(i.a);
      const auto x = source(m, from, t, false);
      rows[p] = {x.data, x.row, x.step, m.packed[product]};
    });
    const bool backwards = m.is_odd != (t % 2 != 0);  // to and fro
    backend::stage<code>(Backend{}, steps, m.batch, rows, m.packed[K], loads, stores, backwards);
  }
}

// The sums over rows are where one row could touch another. An equation may have no value at zero, which is
// what stands past a sequence's end, and 0 * inf is no zero: before a sum, such rows of the program's own
// values are cleared.
template <int Width, class T, program_counts C>
void clear_padding(const program_memory<T, C>& m, located p, int t, int steps) {
  if (m.lengths == nullptr || (p.at.in != space::buffer && p.at.in != space::input)) return;
  if (p.at.in == space::input && !m.is_own[p.at.index]) return;
  const binding<const T> b = source(m, p, t, false);
  for (int n = 0; n < steps; ++n)
    for (int r = 0; r < m.batch; ++r)
      if (t + n >= m.lengths[r])
        std::fill_n(const_cast<T*>(b.data) + n * b.step + r * b.row, Width, T(0));  // own memory
}

// Vectors that are added to the same value have the same gradient: it is summed for the first of them.
template <class Schedule, int K, class Backend, class T, program_counts C>
void add_gradient_sums(const program_memory<T, C>& m, int rows, const binding<const T>& g) {
  constexpr auto symbols = [] {
    const schedule& s = Schedule::value;
    const auto operand = [&](int n) { return s.equations.code[s.kernels[n].value].a; };
    list<int, max_symbols> all;
    bool is_first = true;
    for (int n = 0; n < s.kernels.size; ++n)
      if (s.kernels[n].what == pattern::gradient_sum && operand(n) == operand(K)) {
        is_first = is_first && n >= K;
        all.add(s.equations.code[s.kernels[n].value].first);
      }
    return is_first ? all : list<int, max_symbols>{};
  }();
  constexpr int N =
      Schedule::value.equations.code[Schedule::value.equations.code[Schedule::value.kernels[K].value].a].size;
  if constexpr (symbols.size == 1) {
    backend::gradient_sum<N>(Backend{}, rows, g.data, g.row, m.gradients[symbols[0]]);
  } else if constexpr (symbols.size > 1) {
    T sums[N]{};
    backend::gradient_sum<N>(Backend{}, rows, g.data, g.row, sums);
    for (int s : symbols) backend::accumulate_rows<N>(Backend{}, 1, sums, N, m.gradients[s], N);
  }
}

// Is this value what a scan's step began with? The states are the inputs behind the first.
constexpr bool reads_state(const schedule& s, int value) {
  const place& p = s.places[value];
  return p.in == space::input && 1 <= p.index && p.index <= s.carried.size;
}

template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_kernel(const program_memory<T, C>& m, int t, int steps) {
  constexpr const schedule& s = Schedule::value;
  constexpr kernel k = s.kernels[K];
  [[maybe_unused]] constexpr located made = k.what == pattern::map ? located{} : locate<Schedule>(k.value);
  if constexpr (only_hands_on(s, K))
    if (m.ends_loop) return;
  if constexpr (k.what == pattern::map) {
    run_map<Schedule, K, Backend>(m, t, steps);
  } else if constexpr (k.of_table) {
    constexpr instruction i = s.equations.code[k.value];
    const int rows = steps * m.batch;
    const int* const tokens = m.table.tokens + std::ptrdiff_t(t) * m.batch;
    if constexpr (k.what == pattern::contract) {
      const auto y = target(m, made, t);
      backend::gather<i.size>(Backend{}, rows, tokens, m.table.product, y.data, y.row);
    } else if constexpr (k.what == pattern::gradient_outer) {
      constexpr int N = s.equations.code[i.a].size;
      if (!m.continues) std::fill_n(m.table.product_adjoint, std::ptrdiff_t(m.table.entries) * N, T(0));
      constexpr located from = locate<Schedule>(i.a);
      const auto g = source(m, from, t, false);
      backend::scatter_add<N>(Backend{}, rows, tokens, g.data, g.row, -1, m.table.product_adjoint);
    }
  } else if constexpr (k.stage < 0) {
    constexpr instruction i = s.equations.code[k.value];
    if constexpr (k.what == pattern::gradient_outer && reads_state(s, i.b)) {
      const bool is_last = m.zero_step == t + steps - 1;  // or the first, if it is among these steps at all
      if (steps > 0 && (m.zero_step == t || is_last)) t += !is_last, --steps;
    }
    const int rows = k.timeless ? m.rows : steps * m.batch;
    constexpr located left = locate<Schedule>(i.a);
    const auto a = source(m, left, t, false);
    constexpr bool sums_rows =
        k.what == pattern::gradient_outer || k.what == pattern::gradient_sum || k.what == pattern::axis_sum;
    if constexpr (sums_rows && !k.timeless) clear_padding<s.equations.code[i.a].size>(m, left, t, steps);
    if constexpr (k.what == pattern::contract) {
      const auto y = target(m, made, t);
      backend::contract<i.size, s.equations.code[i.a].size>(Backend{}, rows, a.data, a.row, m.packed[K],
                                                            y.data, y.row);
    } else if constexpr (k.what == pattern::contract_transposed) {
      const auto dx = target(m, made, t);
      constexpr int N = s.equations.code[i.a].size;
      if constexpr (packed_parameters<Schedule, K, Backend>::size() > 0)
        backend::contract_packed_transposed<N, i.size>(Backend{}, rows, a.data, a.row, m.packed[K], dx.data,
                                                       dx.row);
      else
        backend::contract_transposed<N, i.size>(Backend{}, rows, a.data, a.row, m.symbols[i.first], dx.data,
                                                dx.row);
    } else if constexpr (k.what == pattern::gradient_outer) {
      constexpr located right = locate<Schedule>(i.b);
      const auto x = source(m, right, t, false);
      if constexpr (!k.timeless) clear_padding<s.equations.code[i.b].size>(m, right, t, steps);
      constexpr int N = s.equations.code[i.a].size, width = s.equations.code[i.b].size;
      if constexpr (scratch_of<Schedule, K, Backend>() > 0)
        backend::gradient_outer<N, width>(Backend{}, rows, a.data, a.row, x.data, x.row, m.gradients[i.first],
                                          m.scratch);
      else
        backend::gradient_outer<N, width>(Backend{}, rows, a.data, a.row, x.data, x.row,
                                          m.gradients[i.first]);
    } else if constexpr (k.what == pattern::gradient_sum) {
      add_gradient_sums<Schedule, K, Backend>(m, rows, a);
    } else if constexpr (k.what == pattern::axis_softmax) {
      const auto y = target(m, made, t);
      backend::axis_softmax<i.size>(Backend{}, steps, m.batch, m.lengths, a.data, y.data);
    } else if constexpr (k.what == pattern::weighted_sum) {
      constexpr located right = locate<Schedule>(i.b);
      const auto y = target(m, made, 0);
      backend::weighted_sum<i.size>(Backend{}, steps, m.batch, a.data, as_operand(source(m, right, t, false)),
                                    y.data, y.row);
    } else if constexpr (k.what == pattern::shift) {
      const auto y = target(m, made, t);
      backend::shift<i.size>(Backend{}, static_cast<int>(i.number), steps, m.batch, m.lengths, as_operand(a),
                             as_operand(y));
    } else if constexpr (k.what == pattern::axis_max) {
      const auto y = target(m, made, 0);
      backend::axis_max<i.size>(Backend{}, steps, m.batch, m.lengths, as_operand(a), y.data, y.row);
    } else {
      const auto y = target(m, made, 0);
      backend::axis_sum<i.size>(Backend{}, steps, m.batch, a.data, a.row, a.step, y.data, y.row);
    }
  }
}

}  // namespace detail

namespace detail {

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

}  // namespace detail

// Runs one phase of a schedule on `steps` time steps from step t on.
template <class Schedule, phase When, class Backend, class T, program_counts C>
inline void run_phase([[maybe_unused]] const program_memory<T, C>& m, [[maybe_unused]] int t,
                      [[maybe_unused]] int steps) {
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (detail::run_kernel<Schedule, detail::kernels_of<Schedule, When>[N], Backend>(m, t, steps), ...);
  }
  (std::make_integer_sequence<int, detail::kernels_in<Schedule, When>>{});
}

}  // namespace tenon::engine
