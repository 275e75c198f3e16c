// Runs a loop of maps and products with transposed matrices that a backend executes as one kernel.
#pragma once

#include "tenon/backend/row_loop.hpp"
#include "tenon/engine/run/kernels/map.hpp"
#include "tenon/lowering/row_loop.hpp"

namespace tenon::inline v0_1::engine {

namespace detail {

template <class Schedule, int K>
struct kernel_of_rows {
  static constexpr kernel k = Schedule::value.kernels[K];
  static constexpr bool is_map = k.kind == kernel_kind::map;
  static constexpr auto make() {
    if constexpr (is_map) {
      return backend::row_map<typename kernel_body<Schedule, K>::code>{};
    } else {
      constexpr instruction i = Schedule::value.equations.code[k.value];
      return backend::row_transposed<Schedule::value.equations.code[i.a].size, i.size>{};
    }
  }
  using type = decltype(make());
};

template <class Schedule>
struct row_loop_of_schedule {
  static constexpr row_loop_body body = row_loop_of(Schedule::value);
  using shape = backend::row_shape<body.carried, body.columns>;
  static constexpr int count = body.kernels.size;
  // The entries in the lists of all kernels before kernel n of the loop.
  struct counts {
    int loads = 0, stores = 0, products = 0;
  };
  template <int N>
  static constexpr counts before() {
    counts sum;
    repeat<N>([&](auto n) {
      constexpr int k = body.kernels[n];
      if constexpr (kernel_of_rows<Schedule, k>::is_map) {
        sum.loads += kernel_body<Schedule, k>::body.loads.size;
        sum.stores += kernel_body<Schedule, k>::body.stores.size;
      } else {
        ++sum.products;
      }
    });
    return sum;
  }
  static constexpr counts all = before<count>();
  static constexpr int column(const place& p) { return ir::detail::column_in_row(Schedule::value, body, p); }
  // Is it also in memory, where kernels outside this loop read it?
  static constexpr bool is_in_memory(const place& p) {
    return p.in == space::buffer ? Schedule::value.buffers[p.index].all_rows : column(p) < 0;
  }
};

template <class Schedule, int K, class T, program_counts C>
void add_map_of_rows(const program_memory<T, C>& m, int t, backend::row_load<T>* loads,
                     backend::row_store<T>* stores) {
  using loop = row_loop_of_schedule<Schedule>;
  constexpr auto& body = kernel_body<Schedule, K>::body;
  repeat<body.loads.size>([&](auto l) {
    constexpr place from = body.loads[l].from;
    constexpr int column = loop::column(from);
    if constexpr (column >= 0) {
      loads[l] = {nullptr, 0, 0, column};
    } else {
      const auto x = source<dimension::time>(m, from, t);
      loads[l] = {x.data, x.row, x.step, -1};
    }
  });
  repeat<body.stores.size>([&](auto s) {
    constexpr place to = body.stores[s].to;
    stores[s] = {nullptr, 0, 0, loop::column(to)};
    if constexpr (loop::is_in_memory(to)) {
      const auto y = target<dimension::time>(m, to, t);
      stores[s].data = y.data;
      stores[s].row = y.row;
      stores[s].step = y.step;
    }
  });
}

}  // namespace detail

// `state`: the carried states, which the caller sets up.
template <class Schedule, class Backend, class T, program_counts C>
void run_row_loop(const program_memory<T, C>& m, const backend::loop_steps& steps, int states,
                  const backend::row_state<T>* state) {
  using loop = detail::row_loop_of_schedule<Schedule>;
  static_assert(row_loop_body::most_carried <= backend::most_row_states);
  if (steps.count == 0) return;
  backend::row_load<T> loads[loop::all.loads + 1];
  backend::row_store<T> stores[loop::all.stores + 1];
  backend::row_product<T> products[loop::all.products];
  repeat<loop::count>([&](auto n) {
    constexpr int k = loop::body.kernels[n];
    constexpr auto before = loop::template before<n>();
    if constexpr (detail::kernel_of_rows<Schedule, k>::is_map) {
      detail::add_map_of_rows<Schedule, k>(m, steps.first, loads + before.loads, stores + before.stores);
    } else {
      constexpr int value = Schedule::value.kernels[k].value;
      constexpr instruction i = Schedule::value.equations.code[value];
      products[before.products] = {m.symbols[i.first], loop::column(detail::place_of<Schedule>(i.a)),
                                   loop::column(detail::place_of<Schedule>(value))};
    }
  });
  [&]<int... N>(std::integer_sequence<int, N...>) {
    row_loop<typename loop::shape, typename detail::kernel_of_rows<Schedule, loop::body.kernels[N]>::type...>(
        Backend{},
        backend::row_loop_memory<T>{steps, m.batch, m.lengths, states, state, loads, stores, products});
  }
  (std::make_integer_sequence<int, loop::count>{});
}

}  // namespace tenon::inline v0_1::engine
