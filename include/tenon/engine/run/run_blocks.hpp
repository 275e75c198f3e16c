// Runs a program without a time loop on all steps: in blocks of steps, and its maps as a chain, if that is possible.
#pragma once

#include "tenon/engine/plan/memory_plan.hpp"
#include "tenon/engine/run/maps_of_rows.hpp"
#include "tenon/engine/run/run_program.hpp"
#include "tenon/lowering/accumulate.hpp"
#include "tenon/lowering/window_products.hpp"

namespace tenon::inline v0_1::engine {

namespace detail {

template <class Schedule, class Backend, class T, int... N>
constexpr bool chains(std::integer_sequence<int, N...>) {
  if constexpr (requires {
                  chains_maps<T, typename kernel_body<Schedule, maps_of<Schedule>[N]>::code...>(Backend{});
                })
    return chains_maps<T, typename kernel_body<Schedule, maps_of<Schedule>[N]>::code...>(Backend{});
  else return false;
}
template <class Schedule, class Backend, class T, program_counts C, int... N>
inline void run_chain(const program_memory<T, C>& m, int t, int steps, std::integer_sequence<int, N...>) {
  constexpr auto most = [](auto... counts) {
    int n = 1;
    ((n = counts > n ? counts : n), ...);
    return n;
  };
  constexpr int loads_of_each = most(kernel_body<Schedule, maps_of<Schedule>[N]>::body.loads.size...);
  constexpr int stores_of_each = most(kernel_body<Schedule, maps_of<Schedule>[N]>::body.stores.size...);
  backend::operand<const T> loads[sizeof...(N)][loads_of_each];
  backend::operand<T> stores[sizeof...(N)][stores_of_each];
  const auto find = [&]<int I>(std::integral_constant<int, I>) {
    constexpr int K = maps_of<Schedule>[I];
    find_operands<Schedule, K>(m, t, loads[I], stores[I]);
    begin_sums<typename kernel_body<Schedule, K>::code, Backend>(m.batch, m.continues, stores[I]);
  };
  (find(std::integral_constant<int, N>{}), ...);
  const backend::operand<const T>* const all_loads[]{loads[N]...};
  const backend::operand<T>* const all_stores[]{stores[N]...};
  map_chain<typename kernel_body<Schedule, maps_of<Schedule>[N]>::code...>(Backend{}, t, steps, m.batch,
                                                                           m.lengths, all_loads, all_stores);
}

// Does a map sum over steps?
template <class Schedule>
constexpr bool sums_any_steps = []<int... N>(std::integer_sequence<int, N...>) {
  return (false || ... || sums_steps(kernel_body<Schedule, maps_of<Schedule>[N]>::body));
}
(std::make_integer_sequence<int, maps_of<Schedule>.size>{});
// Several threads have some blocks of steps each.
template <class Schedule, class Backend, class T, program_counts C>
inline bool share_blocks(const program_memory<T, C>& m, int steps, int block) {
  if constexpr (sums_any_steps<Schedule>) return false;
  else {
    const int blocks = (steps + block - 1) / block;
    const long numbers = long(widest_map(Schedule::value)) * m.batch * steps;
    return blocks > 1 &&
           share<Backend>(m, numbers >= abilities_of<Backend, T>.sharing.numbers_at_once, [&](piece mine) {
             program_memory<T, C> own = m;
             own.threads = nullptr;
             for (int b = mine.start(blocks); b < mine.end(blocks); ++b) {
               const int t = b * block;
               run_phase<Schedule, phase::before, Backend>(own, t, block < steps - t ? block : steps - t);
             }
           });
  }
}

}  // namespace detail

// Runs a program without carried values on all steps: if possible, some steps at a time, which stay in the
// cache from kernel to kernel. A chain runs through one row after the other: if a row's steps are contiguous,
// all of them are one stream.
template <class Schedule, class Backend, class T, program_counts C>
inline void run_all(program_memory<T, C>& m, int steps, [[maybe_unused]] int block_of_windows = 1) {
  if constexpr (runs_in_blocks(Schedule::value)) {
    constexpr int width = widest_map(Schedule::value);
    constexpr std::make_integer_sequence<int, detail::maps_of<Schedule>.size> maps{};
    constexpr bool is_chain = detail::chains<Schedule, Backend, T>(maps);
    constexpr bool takes_maps = detail::takes_maps<Schedule, Backend, T>(maps);
    const bool is_stream = is_chain && m.in_rows_of_steps;
    constexpr long together = abilities_of<Backend>.numbers_in_block,
                   elements = together > 0 ? together : detail::block_elements;
    const int fitting = is_stream ? steps : static_cast<int>(elements / (width * m.batch));
    const int block = fitting > 1 ? fitting : 1;
    if constexpr (C.shared && !is_chain && !takes_maps)
      if (detail::share_blocks<Schedule, Backend>(m, steps, block)) return;
    for (int t = 0; t == 0 || t < steps; t += block) {  // sums begin even if there is no step
      const int some = block < steps - t ? block : steps - t;
      m.continues = t > 0;
      if constexpr (is_chain) detail::run_chain<Schedule, Backend>(m, t, some, maps);
      else if constexpr (takes_maps) detail::run_maps_of_rows<Schedule, Backend>(m, t, some, maps);
      else run_phase<Schedule, phase::before, Backend>(m, t, some);
    }
  } else if constexpr (runs_in_blocks_of_windows(Schedule::value)) {
    for (int t = 0; t < steps; t += block_of_windows) {
      m.first_step = t;  // the buffers hold one block
      const int some = block_of_windows < steps - t ? block_of_windows : steps - t;
      run_phase<Schedule, phase::before, Backend>(m, t, some);
    }
  } else {
    run_phase<Schedule, phase::before, Backend>(m, 0, steps);
  }
}

}  // namespace tenon::inline v0_1::engine
