// Runs a program that consists of maps only, on a backend that runs all of them together, row by row.
#pragma once

#include "tenon/engine/run/kernels/map.hpp"
#include "tenon/program/row_links.hpp"

#include <utility>

namespace tenon::inline v0_1::engine::detail {

// The maps of a schedule that has no other kernels.
template <class Schedule>
constexpr auto maps_of = [] {
  list<int, Schedule::value.kernels.size> all;
  for (int k = 0; k < Schedule::value.kernels.size; ++k)
    if (Schedule::value.kernels[k].when != phase::none) all.add(k);
  return all;
}();

// A load or a store of one of them.
struct row_access {
  place where{};
  int map = 0, width = 0;
  bool is_of_row = false;  // one number for the row
};
template <int Loads, int Stores>
struct row_accesses {
  list<row_access, Loads> loads{};
  list<row_access, Stores> stores{};

  static constexpr bool is_same_memory(const place& a, const place& b) {
    return a.in == b.in && a.index == b.index;
  }
  // See ir::row_links.
  constexpr int source(int l) const {
    const row_access& load = loads[l];
    int found = ir::from_memory;
    for (int p = 0; p < stores.size && stores[p].map < load.map; ++p) {
      const row_access& store = stores[p];
      if (!is_same_memory(store.where, load.where)) continue;
      const bool is_same = is_same_memory(store.where, load.where) &&
                           store.where.column == load.where.column && store.where.rows == load.where.rows &&
                           store.is_of_row == load.is_of_row && (load.is_of_row || store.width == load.width);
      if (is_same) return p;
      found = ir::from_maps_before;
    }
    return found;
  }
  constexpr bool needs_no_memory(int p) const {
    bool needs = stores[p].where.in != space::buffer;
    for (int l = 0; l < loads.size; ++l)
      needs = needs || (is_same_memory(stores[p].where, loads[l].where) && source(l) != p);
    return !needs;
  }
};
template <class Schedule, int... N>
constexpr auto accesses_of(std::integer_sequence<int, N...>) {
  row_accesses<(0 + ... + kernel_body<Schedule, maps_of<Schedule>[N]>::body.loads.size),
               (0 + ... + kernel_body<Schedule, maps_of<Schedule>[N]>::body.stores.size)>
      all;
  const auto add = [&](int map, const map_view& body) {
    for (const map_load& load : body.loads)
      all.loads.add({load.from, map, body.width, load.broadcast || body.width == 1});
    for (const map_store& store : body.stores)
      all.stores.add({store.to, map, body.width, store.reduction != opcode::copy || body.width == 1});
  };
  (add(N, kernel_body<Schedule, maps_of<Schedule>[N]>::body), ...);
  return all;
}
template <class Schedule>
struct links_of_rows {
  static constexpr auto accesses =
      accesses_of<Schedule>(std::make_integer_sequence<int, maps_of<Schedule>.size>{});
  template <int... L, int... S>
  static ir::row_links<ir::numbers_in_order<accesses.source(L)...>,
                       ir::numbers_in_order<int(accesses.needs_no_memory(S))...>>
      find(std::integer_sequence<int, L...>, std::integer_sequence<int, S...>);
  using type = decltype(find(std::make_integer_sequence<int, accesses.loads.size>{},
                             std::make_integer_sequence<int, accesses.stores.size>{}));
};

template <class Backend, class T, class Links, class... Codes>
concept TakesMapsOfRows = requires(const backend::operand<const T>* const* loads,
                                   const backend::operand<T>* const* stores) {
  maps_of_rows<Links, Codes...>(Backend{}, 1, 1, loads, stores);
};
template <class Schedule, class Backend, class T, int... N>
constexpr bool takes_maps(std::integer_sequence<int, N...>) {
  if constexpr (sizeof...(N) > 1 && abilities_of<Backend>.takes_maps_of_rows)
    return TakesMapsOfRows<Backend, T, typename links_of_rows<Schedule>::type,
                           typename kernel_body<Schedule, maps_of<Schedule>[N]>::code...>;
  else return false;
}
template <class Schedule, class Backend, class T, program_counts C, int... N>
inline void run_maps_of_rows(const program_memory<T, C>& m, int t, int steps,
                             std::integer_sequence<int, N...>) {
  constexpr auto most = [](auto... counts) {
    int n = 1;
    ((n = counts > n ? counts : n), ...);
    return n;
  };
  backend::operand<const T> loads[sizeof...(N)]
                                 [most(kernel_body<Schedule, maps_of<Schedule>[N]>::body.loads.size...)];
  backend::operand<T> stores[sizeof...(N)]
                            [most(kernel_body<Schedule, maps_of<Schedule>[N]>::body.stores.size...)];
  (find_operands<Schedule, maps_of<Schedule>[N]>(m, t, loads[N], stores[N]), ...);
  const backend::operand<const T>* const all_loads[]{loads[N]...};
  const backend::operand<T>* const all_stores[]{stores[N]...};
  maps_of_rows<typename links_of_rows<Schedule>::type,
               typename kernel_body<Schedule, maps_of<Schedule>[N]>::code...>(Backend{}, steps, m.batch,
                                                                              all_loads, all_stores);
}

}  // namespace tenon::inline v0_1::engine::detail
