// Runs a map of a schedule: a fused elementwise kernel, by itself or with the products that only it reads.
#pragma once

#include "tenon/engine/run/kernels/operands.hpp"
#include "tenon/engine/run/kernels/share.hpp"

#include <utility>

namespace tenon::inline v0_1::engine::detail {

constexpr bool sums_steps(const map_view& body) {
  for (const map_store& s : body.stores)
    if (s.over_steps) return true;
  return false;
}
constexpr bool adds_up(const map_view& body) {
  for (const map_store& s : body.stores)
    if (s.accumulates()) return true;
  return false;
}
// A sum over time steps has one row for each row of the batch. It begins at zero or with the stored values, and
// continues if earlier steps have been summed.
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
// The places of the loads and stores of map K, in lists of exact length.
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
  return source<Axis>(m, load.from, t);
}
// The addresses that map K loads from and stores to, from step t on.
template <class Schedule, int K, class T, program_counts C>
inline void find_operands(const program_memory<T, C>& m, int t, backend::operand<const T>* loads,
                          backend::operand<T>* stores) {
  using operands = operands_of<Schedule, K>;
  [&]<int... L, int... S>(std::integer_sequence<int, L...>, std::integer_sequence<int, S...>) {
    ((loads[L] = load_from<operands::axis>(m, operands::loads[L], t)), ...);
    ((stores[S] = target<operands::axis>(m, operands::stores[S], t)), ...);
  }
  (std::make_integer_sequence<int, operands::loads.size>{},
   std::make_integer_sequence<int, operands::stores.size>{});
}
// Of the products that a map computes in its stage.
template <class Schedule, int K>
constexpr long weights_of = [] {
  long weights = 0;
  for (const stage_product& p : kernel_body<Schedule, K>::stage.products)
    weights += long(p.columns.size) * p.depth * kernel_body<Schedule, K>::body.width;
  return weights;
}();
// A map on several threads: each has some steps, or some rows of the only one.
template <class Kernel, class Backend, class T, program_counts C>
inline bool share_map(const program_memory<T, C>& m, int steps, const backend::operand<const T>* loads,
                      const backend::operand<T>* stores) {
  constexpr int load_count = Kernel::body.loads.size, store_count = Kernel::body.stores.size;
  const long numbers = long(Kernel::body.width) * Kernel::body.code.size * steps * m.batch;
  return share<Backend>(m, numbers >= abilities_of<Backend, T>.sharing.numbers_at_once, [&](piece mine) {
    const bool by_steps = steps >= mine.count;
    const int first = mine.start(by_steps ? steps : m.batch), end = mine.end(by_steps ? steps : m.batch);
    backend::operand<const T> from[load_count + 1];
    backend::operand<T> to[store_count + 1];
    for (int l = 0; l < load_count; ++l) {
      from[l] = loads[l];
      from[l].data += first * (by_steps ? loads[l].step : loads[l].row);
    }
    for (int s = 0; s < store_count; ++s) {
      to[s] = stores[s];
      to[s].data += first * (by_steps ? stores[s].step : stores[s].row);
    }
    if (first < end)
      map<Kernel>(Backend{}, by_steps ? end - first : steps, by_steps ? m.batch : end - first, from, to);
  });
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
  steps = k.over == domain::batch ? 1 : axis == dimension::inner ? m.inner_steps : steps;
  if constexpr (sums_steps(body::body) || (k.when == phase::loop && adds_up(body::body))) {
    const bool is_of_time = axis == dimension::time;
    begin_sums<code, Backend>(m.batch, is_of_time && m.continues, stores);
    const int* const lengths = lengths_of<axis>(m);
    if (lengths == nullptr) map<code>(Backend{}, steps, m.batch, loads, stores);
    else map_before_ends<code>(Backend{}, is_of_time ? t : 0, steps, m.batch, lengths, loads, stores);
  } else if constexpr (body::stage.products.empty()) {
    if constexpr (C.shared)
      if (share_map<code, Backend>(m, steps, loads, stores)) return;
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
    const bool backwards = m.is_odd != (t % 2 != 0);  // in serpentine order
    if constexpr (C.shared && !C.by_sequence) {
      constexpr long weights = weights_of<Schedule, K>;
      if (share_product<Backend>(m, steps * m.batch, weights, [&](piece mine) {
            stage_piece<code>(Backend{}, mine, steps, m.batch, rows, m.packed[K], loads, stores, backwards);
          }))
        return;
    }
    int together = m.batch;
    if constexpr (C.by_sequence) {  // its steps as rows: a stage runs several rows at a time
      std::swap(steps, together);
      for (auto& x : rows) x.row = x.step;
      for (int l = 0; l < body::body.loads.size; ++l) loads[l].row = loads[l].step;
      for (int o = 0; o < body::body.stores.size; ++o) stores[o].row = stores[o].step;
    }
    stage<code>(Backend{}, steps, together, rows, m.packed[K], loads, stores, backwards);
  }
}

}  // namespace tenon::inline v0_1::engine::detail
