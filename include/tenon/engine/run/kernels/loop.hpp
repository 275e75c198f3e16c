// Runs a loop that a backend executes as one kernel: all its steps, including the rows that have ended.
#pragma once

#include "tenon/engine/run/kernels/map.hpp"
#include "tenon/lowering/loop.hpp"

namespace tenon::inline v0_1::engine {

namespace detail {
// The loop as a backend gets it, which other schedules may share.
template <class Schedule>
struct loop_of_schedule {
  static constexpr int map = ir::detail::sole_map_of_loop(Schedule::value);
  static constexpr auto body = loop_of(Schedule::value);
  using code = loop_code<encode<encoded_size(body)>(body)>;
};
}  // namespace detail

// A row that has ended keeps its states.
template <class Schedule, class Backend, class T, program_counts C>
void run_loop(const program_memory<T, C>& m, const backend::loop_steps& steps) {
  using loop = detail::loop_of_schedule<Schedule>;
  using map = detail::kernel_body<Schedule, loop::map>;
  constexpr int state_count = loop::body.states.size, product_count = map::stage.products.size;
  if (steps.count == 0) return;
  backend::operand<const T> loads[map::body.loads.size + 1];
  backend::operand<T> stores[map::body.stores.size + 1];
  detail::find_operands<Schedule, loop::map>(m, steps.first, loads, stores);
  backend::operand<const T> states[state_count];  // as the first step reads them
  const int begin = steps.backwards ? steps.first + steps.count - 1 : steps.first;
  repeat<state_count>([&](auto s) {
    const operand<const T>& from = m.in[Schedule::value.carried[s].input];
    states[s] = {from.data + begin * from.step, from.row, from.step};
  });
  const T* weights[product_count];
  repeat<product_count>([&](auto p) { weights[p] = m.packed[map::stage.products[p].kernel]; });
  stage_loop<typename loop::code>(Backend{}, steps, m.batch, m.lengths, states, weights, m.packed[loop::map],
                                  loads, stores);
}

}  // namespace tenon::inline v0_1::engine
