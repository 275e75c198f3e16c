// Runs the kernels of a schedule: finds the rows of every operand and hands them to the backend's patterns.
#pragma once

#include "tenon/engine/plan/packing.hpp"
#include "tenon/engine/plan/program_memory.hpp"
#include "tenon/meta/host_device.hpp"

namespace tenon::engine {

namespace detail {

template <class Schedule>
constexpr place place_of(int value) {
  return Schedule::value.places[value];
}

// The rows of a place at time step t, or from there on: one after the other along an axis.
template <dimension Axis, class T>
inline binding<T> rows_of(const binding<T>& b, const place& p, int t) {
  const std::ptrdiff_t before = has_axis(p.rows, dimension::time) ? t * b.step : 0;
  return {b.data + before + p.column, b.row, has_axis(p.rows, Axis) ? b.step : 0};
}
template <dimension Axis, class T, program_counts C>
inline binding<T> rows_in_buffer(const program_memory<T, C>& m, const place& p, int t) {
  int rows = m.batch;
  if constexpr (C.by_sequence) rows = p.of_sequence ? 1 : m.rows_apart;
  const binding<T> whole{m.buffers[p.index], p.stride, std::ptrdiff_t(rows) * p.stride};
  return rows_of<Axis>(whole, p, t - m.first_step);
}
// From the row of the sequence on that the loop is at.
template <class T, class U, program_counts C>
inline binding<U> from_sequence(const program_memory<T, C>& m, const place& p, binding<U> b) {
  if constexpr (C.by_sequence)
    if (!p.of_sequence) b.data += m.sequence * b.row;
  return b;
}
template <dimension Axis, class T, program_counts C>
inline binding<const T> source(const program_memory<T, C>& m, const place& p, int t) {
  if (p.in == space::parameter) return {m.symbols[p.index], 0, 0};
  return from_sequence(m, p,
                       p.in == space::buffer   ? as_source(rows_in_buffer<Axis>(m, p, t))
                       : p.in == space::output ? as_source(rows_of<Axis>(m.out[p.index], p, t))
                                               : rows_of<Axis>(m.in[p.index], p, t));
}
template <dimension Axis, class T, program_counts C>
inline binding<T> target(const program_memory<T, C>& m, const place& p, int t) {
  return from_sequence(
      m, p, p.in == space::buffer ? rows_in_buffer<Axis>(m, p, t) : rows_of<Axis>(m.out[p.index], p, t));
}
template <dimension Axis, class T, program_counts C>
inline const int* lengths_of(const program_memory<T, C>& m) {
  return Axis == dimension::inner ? m.inner_lengths : m.lengths;
}

constexpr bool sums_steps(const map_body& body) {
  for (const map_store& s : body.stores)
    if (s.over_steps) return true;
  return false;
}
constexpr bool adds_up(const map_body& body) {
  for (const map_store& s : body.stores)
    if (s.accumulates()) return true;
  return false;
}
// A sum over time steps stands in one row for each row of the batch. It begins at zero or with what is there, and
// goes on where earlier steps have been summed.
template <class Kernel, class Backend, class T>
void begin_sums(int rows, bool continues, backend::operand<T>* stores) {
  repeat<Kernel::body.stores.size>([&](auto s) {
    constexpr map_store store = Kernel::body.stores[s];
    [[maybe_unused]] constexpr int width = Kernel::body.width;
    if constexpr (store.over_steps) stores[s].step = 0;
    if constexpr (store.over_steps && !store.adds)
      if (!continues) clear_rows<width>(Backend{}, rows, stores[s].data, stores[s].row);
  });
}
// Where map K finds what it loads and stores, in lists of their own length.
struct load_place {
  place from{};
  bool is_sum = false;  // in a stage: not loaded from here
};
template <class Schedule, int K>
struct operands_of {
  using map = kernel_body<Schedule, K>;
  static constexpr dimension axis = Schedule::value.kernels[K].runs_along();
  static constexpr auto loads = [] {
    list<load_place, map::body.loads.size> all;
    for (const map_load& l : map::body.loads) all.add({l.from, l.sum >= 0 || l.packed >= 0});
    return all;
  }();
  static constexpr auto stores = [] {
    list<place, map::body.stores.size> all;
    for (const map_store& s : map::body.stores) all.add(s.to);
    return all;
  }();
};
template <dimension Axis, class T, program_counts C>
inline backend::operand<const T> load_from(const program_memory<T, C>& m, const load_place& load, int t) {
  if (load.is_sum) return {};
  return as_operand(source<Axis>(m, load.from, t));
}
// What map K loads and stores from step t on.
template <class Schedule, int K, class T, program_counts C>
inline void find_operands(const program_memory<T, C>& m, int t, backend::operand<const T>* loads,
                          backend::operand<T>* stores) {
  using operands = operands_of<Schedule, K>;
  [&]<int... L, int... S>(std::integer_sequence<int, L...>, std::integer_sequence<int, S...>) {
    ((loads[L] = load_from<operands::axis>(m, operands::loads[L], t)), ...);
    ((stores[S] = as_operand(target<operands::axis>(m, operands::stores[S], t))), ...);
  }
  (std::make_integer_sequence<int, operands::loads.size>{},
   std::make_integer_sequence<int, operands::stores.size>{});
}
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_map(const program_memory<T, C>& m, int t, int steps) {
  using body = kernel_body<Schedule, K>;
  using code = typename body::code;
  backend::operand<const T> loads[body::body.loads.size + 1];
  backend::operand<T> stores[body::body.stores.size + 1];
  find_operands<Schedule, K>(m, t, loads, stores);
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr dimension axis = k.runs_along();
  steps = k.over == domain::timeless ? 1 : axis == dimension::inner ? m.inner_steps : steps;
  if constexpr (sums_steps(body::body) || (k.when == phase::loop && adds_up(body::body))) {
    const bool is_of_time = axis == dimension::time;
    begin_sums<code, Backend>(m.batch, is_of_time && m.continues, stores);
    const int* const lengths = lengths_of<axis>(m);
    if (lengths == nullptr) map<code>(Backend{}, steps, m.batch, loads, stores);
    else map_before_ends<code>(Backend{}, is_of_time ? t : 0, steps, m.batch, lengths, loads, stores);
  } else if constexpr (body::stage.products.empty()) {
    map<code>(Backend{}, steps, m.batch, loads, stores);
  } else {
    backend::stage_rows<T> rows[body::stage.products.size];
    repeat<body::stage.products.size>([&](auto p) {
      constexpr int product = body::stage.products[p].kernel;
      constexpr place from =
          place_of<Schedule>(Schedule::value.equations.code[Schedule::value.kernels[product].value].a);
      const auto x = source<axis>(m, from, t);
      rows[p] = {x.data, x.row, x.step, m.packed[product]};
    });
    const bool backwards = m.is_odd != (t % 2 != 0);  // to and fro
    stage<code>(Backend{}, steps, m.batch, rows, m.packed[K], loads, stores, backwards);
  }
}

// The sums over rows are where one row could touch another. An equation may have no value at zero, which is
// what stands past a sequence's end, and 0 * inf is no zero: before a sum, such rows of the program's own
// values are cleared.
template <dimension Axis, int Width, class Backend, class T, program_counts C>
void clear_padding(const program_memory<T, C>& m, const place& p, int t, int steps) {
  const int* const lengths = lengths_of<Axis>(m);
  if (lengths == nullptr || (p.in != space::buffer && p.in != space::input)) return;
  if (p.in == space::input && !m.is_own[p.index]) return;
  const binding<const T> b = source<Axis>(m, p, t);
  const int first = Axis == dimension::time ? t : 0;
  T* const own = const_cast<T*>(b.data);
  for (int n = 0; n < steps; ++n)
    clear_ended_rows<Width>(Backend{}, first + n, m.batch, lengths, own + n * b.step, b.row);
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
    gradient_sum<N>(Backend{}, rows, g.data, g.row, m.gradients[symbols[0]]);
  } else if constexpr (symbols.size > 1) {
    T sums[N]{};
    gradient_sum<N>(Backend{}, rows, g.data, g.row, sums);
    for (int s : symbols) accumulate_rows<N>(Backend{}, 1, sums, N, m.gradients[s], N);
  }
}

// Is this value what a scan's step began with? The states are the inputs behind the first.
constexpr bool reads_state(const schedule& s, int value) {
  const place& p = s.places[value];
  return p.in == space::input && 1 <= p.index && p.index <= s.carried.size;
}

// A product of rows that are looked up in a table.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_product_of_table(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr instruction i = Schedule::value.equations.code[k.value];
  const int rows = steps * m.batch;
  const int* const tokens = m.table.tokens + std::ptrdiff_t(t) * m.batch;
  if constexpr (k.what == pattern::contract) {
    constexpr place made = place_of<Schedule>(k.value);
    const auto y = target<dimension::time>(m, made, t);
    gather<i.size>(Backend{}, rows, tokens, m.table.product, y.data, y.row);
  } else if constexpr (k.what == pattern::gradient_outer) {
    constexpr int N = Schedule::value.equations.code[i.a].size;
    if (!m.continues) set_all(Backend{}, std::ptrdiff_t(m.table.entries) * N, T(0), m.table.product_adjoint);
    constexpr place from = place_of<Schedule>(i.a);
    const auto g = source<dimension::time>(m, from, t);
    scatter_add<N>(Backend{}, rows, tokens, g.data, g.row, -1, m.table.product_adjoint);
  }
}

// A product with parameters, and their gradients, on so many steps.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_product(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr dimension axis = k.runs_along();
  constexpr bool has_steps = k.over != domain::timeless;
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr int N = Schedule::value.equations.code[i.a].size;
  const int rows = has_steps ? steps * m.batch : m.rows;
  constexpr place left = place_of<Schedule>(i.a);
  const auto a = source<axis>(m, left, t);
  if constexpr (k.what == pattern::contract) {
    constexpr place made = place_of<Schedule>(k.value);
    const auto y = target<axis>(m, made, t);
    contract<i.size, N>(Backend{}, rows, a.data, a.row, m.packed[K], y.data, y.row);
  } else if constexpr (k.what == pattern::contract_transposed) {
    constexpr place made = place_of<Schedule>(k.value);
    const auto dx = target<axis>(m, made, t);
    if constexpr (packed_parameters<Schedule, K, Backend>::size() > 0)
      contract_packed_transposed<N, i.size>(Backend{}, rows, a.data, a.row, m.packed[K], dx.data, dx.row);
    else contract_transposed<N, i.size>(Backend{}, rows, a.data, a.row, m.symbols[i.first], dx.data, dx.row);
  } else {
    if constexpr (has_steps) clear_padding<axis, N, Backend>(m, left, t, steps);
    if constexpr (k.what == pattern::gradient_sum) {
      add_gradient_sums<Schedule, K, Backend>(m, rows, a);
    } else {
      constexpr place right = place_of<Schedule>(i.b);
      constexpr int width = Schedule::value.equations.code[i.b].size;
      const auto x = source<axis>(m, right, t);
      if constexpr (has_steps) clear_padding<axis, width, Backend>(m, right, t, steps);
      if constexpr (scratch_of<Schedule, K, Backend>() > 0)
        gradient_outer<N, width>(Backend{}, rows, a.data, a.row, x.data, x.row, m.gradients[i.first],
                                 m.scratch);
      else gradient_outer<N, width>(Backend{}, rows, a.data, a.row, x.data, x.row, m.gradients[i.first]);
    }
  }
}

// What goes along an axis. Steps of the inner axis are all of them; a step of the loop is one.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_over_axis(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr dimension axis = k.runs_along();
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr place from = place_of<Schedule>(i.a), made = place_of<Schedule>(k.value);
  constexpr int N = Schedule::value.equations.code[i.a].size;
  const auto a = source<axis>(m, from, t);
  const auto y = target<axis>(m, made, t);
  const int* const lengths = lengths_of<axis>(m);
  if constexpr (k.what == pattern::axis_softmax) {
    axis_softmax<i.size>(Backend{}, steps, m.batch, lengths, a.data, y.data);
  } else if constexpr (k.what == pattern::weighted_sum) {
    constexpr place of = place_of<Schedule>(i.b);
    weighted_sum<i.size>(Backend{}, steps, m.batch, a.data, as_operand(source<axis>(m, of, t)), y.data,
                         y.row);
  } else if constexpr (k.what == pattern::shift) {
    shift<i.size>(Backend{}, static_cast<int>(i.number), steps, m.batch, lengths, as_operand(a),
                  as_operand(y));
  } else if constexpr (k.what == pattern::axis_max) {
    axis_max<i.size>(Backend{}, steps, m.batch, lengths, as_operand(a), y.data, y.row);
  } else {
    clear_padding<axis, N, Backend>(m, from, t, steps);
    if constexpr (k.what == pattern::accumulate)
      accumulate_rows<N>(Backend{}, steps * m.batch, a.data, a.row, y.data, y.row);
    else axis_sum<i.size>(Backend{}, steps, m.batch, a.data, a.row, a.step, y.data, y.row);
  }
}

// The steps of an axis side by side, zeros past the end of each sequence; or back.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_features(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr dimension axis = k.runs_along();
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr place from = place_of<Schedule>(i.a), made = place_of<Schedule>(k.value);
  constexpr int from_size = Schedule::value.equations.code[i.a].size;
  constexpr bool goes_back = k.what == pattern::from_features;
  constexpr int size = goes_back ? i.size : from_size, bound = (goes_back ? from_size : i.size) / size;
  const auto x = source<axis>(m, from, t);
  const auto y = target<axis>(m, made, t);
  const int* const lengths = lengths_of<axis>(m);
  for (int s = 0; s < bound; ++s) {
    if constexpr (goes_back) {
      if (s < steps)
        copy_rows<size>(Backend{}, m.batch, x.data + s * size, x.row, y.data + s * y.step, y.row);
    } else {
      T* const to = y.data + s * size;
      if (s < steps) copy_rows<size>(Backend{}, m.batch, x.data + s * x.step, x.row, to, y.row);
      else clear_rows<size>(Backend{}, m.batch, to, y.row);
      if (s < steps && lengths != nullptr) clear_ended_rows<size>(Backend{}, s, m.batch, lengths, to, y.row);
    }
  }
}

// What a block of steps of one sequence has with all steps of the inner axis.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_pairs(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr int groups = i.count, lanes = Schedule::value.lanes;
  constexpr place left = place_of<Schedule>(i.a), made = place_of<Schedule>(k.value);
  if constexpr (k.what == pattern::to_lanes) {
    constexpr int N = Schedule::value.equations.code[i.a].size;
    const auto x = source<dimension::time>(m, left, t);
    to_lanes<N, groups, lanes>(Backend{}, m.block, x.data, x.step, target<dimension::time>(m, made, t).data);
  } else {
    constexpr place right = place_of<Schedule>(i.b);
    constexpr bool is_dot = k.what == pattern::pair_dots, over_time = k.what == pattern::pair_sums_over_time;
    constexpr int features = Schedule::value.equations.code[i.b].size / groups;
    const auto a = source < is_dot ? dimension::time : dimension::inner > (m, left, t);
    const auto b = source < over_time ? dimension::time : dimension::inner > (m, right, t);
    const auto y = target < is_dot || over_time ? dimension::inner : dimension::time > (m, made, t);
    if constexpr (is_dot)
      pair_dots<groups, features, lanes>(Backend{}, m.block, steps, a.data, a.step, b.data, b.step, y.data,
                                         y.step);
    else if constexpr (over_time)
      pair_sums_over_time<groups, features, lanes>(Backend{}, m.block, steps, a.data, a.step, b.data, b.step,
                                                   y.data, y.step);
    else
      pair_sums<groups, features, lanes>(Backend{}, m.block, steps, a.data, a.step, b.data, b.step, y.data,
                                         y.step);
  }
}

constexpr bool is_of_pairs(pattern what) {
  return what == pattern::pair_dots || what == pattern::pair_sums || what == pattern::pair_sums_over_time ||
         what == pattern::to_lanes;
}
constexpr bool is_product(pattern what) {
  return what == pattern::contract || what == pattern::contract_transposed ||
         what == pattern::gradient_outer || what == pattern::gradient_sum;
}

template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_kernel(const program_memory<T, C>& m, int t, int steps) {
  constexpr const schedule& s = Schedule::value;
  constexpr kernel k = s.kernels[K];
  if constexpr (only_hands_on(s, K))
    if (m.ends_loop) return;
  if constexpr (k.what == pattern::map) {
    run_map<Schedule, K, Backend>(m, t, steps);
  } else if constexpr (k.of_table) {
    run_product_of_table<Schedule, K, Backend>(m, t, steps);
  } else if constexpr (k.stage < 0) {
    if constexpr (k.what == pattern::gradient_outer && reads_state(s, s.equations.code[k.value].b)) {
      const bool is_last = m.zero_step == t + steps - 1;  // or the first, if it is among these steps at all
      if (steps > 0 && (m.zero_step == t || is_last)) t += !is_last, --steps;
    }
    if constexpr (k.runs_along() == dimension::inner) steps = m.inner_steps;
    if constexpr (k.what == pattern::as_features || k.what == pattern::from_features)
      run_features<Schedule, K, Backend>(m, t, steps);
    else if constexpr (is_of_pairs(k.what)) run_pairs<Schedule, K, Backend>(m, t, steps);
    else if constexpr (is_product(k.what)) run_product<Schedule, K, Backend>(m, t, steps);
    else run_over_axis<Schedule, K, Backend>(m, t, steps);
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

namespace detail {
// A weighted sum has a row for each step, those past the end of its sequence too.
template <class Schedule, class Backend, class T, program_counts C>
inline void clear_sums_past_end(const program_memory<T, C>& m, int length, int steps) {
  repeat<Schedule::value.kernels.size>([&](auto k) {
    constexpr kernel sum = Schedule::value.kernels[k];
    if constexpr (sum.what == pattern::pair_sums) {
      constexpr place made = place_of<Schedule>(sum.value);
      constexpr int width = Schedule::value.equations.code[sum.value].size;
      const auto y = target<dimension::time>(m, made, length);
      if (length < steps) clear_rows<width>(Backend{}, steps - length, y.data, y.step);
    }
  });
}
}  // namespace detail

// The sums over all steps of the loop begin at zero.
template <class Schedule, class Backend, class T, program_counts C>
inline void begin_loop([[maybe_unused]] const program_memory<T, C>& m) {
  repeat<Schedule::value.kernels.size>([&](auto k) {
    constexpr kernel sum = Schedule::value.kernels[k];
    if constexpr (sum.what == pattern::accumulate || sum.what == pattern::pair_sums_over_time) {
      constexpr place made = detail::place_of<Schedule>(sum.value);
      constexpr int width = Schedule::value.equations.code[sum.value].size;
      const auto y = detail::target<dimension::inner>(m, made, 0);
      clear_rows<width>(Backend{}, m.inner_steps * m.batch, y.data, y.row);
    }
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

// The loop that takes many steps at once, of one sequence after the other: each up to its own end.
template <class Schedule, class Backend, class T, program_counts C>
inline void run_sequences(const program_memory<T, C>& m, int steps) {
  constexpr int lanes = Schedule::value.lanes;
  program_memory<T, C> one = m;
  one.batch = 1;
  one.lengths = one.inner_lengths = nullptr;
  const auto run = [&](int row, int length, int inner_length) {
    one.sequence = row, one.inner_steps = inner_length;
    for (int t = 0; t < length; t += lanes) {
      one.block = lanes < length - t ? lanes : length - t;
      run_phase<Schedule, phase::loop, Backend>(one, t, 1);
    }
    detail::clear_sums_past_end<Schedule, Backend>(one, length, steps);
  };
  each_sequence(Backend{}, m.batch, m.lengths, steps, m.inner_lengths, m.inner_steps, run);
}

}  // namespace tenon::engine
