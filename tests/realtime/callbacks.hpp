// What a thread with a deadline does with a stream, marked so that the compiler checks all that it calls.
#pragma once

#include "support/allocations.hpp"
#include "tenon/engine/session/session.hpp"

#include <cstdio>
#include <span>
#include <tuple>
#include <vector>

namespace tenon::test {

// Callback(live, spans...) in the middle of a sequence and at its beginning.
template <class Live, class... Given>
step_status deadline(Live& live, const Given&... values) TENON_NONBLOCKING {
  step_status first;
  if constexpr (Live::plan::in_blocks) first = live.try_run(values...);
  else first = live.try_step(values...);
  live.reset();
  if (first != step_status::taken) return first;
  if constexpr (Live::plan::in_blocks) return live.try_run(values...);
  else return live.try_step(values...);
}
// The same for numbers in spans of a static extent, with which nothing can go wrong.
template <class Live, std::size_t... N>
void certain(Live& live, const std::span<const float, N>&... values) TENON_NONBLOCKING {
  if constexpr (Live::plan::in_blocks) live.run(values...);
  else live.step(values...);
}

// Gives an input that stays: ones, or tokens of the number 1.
template <int E, class Live>
void give_what_stays(Live& live) {
  using plan = typename Live::plan;
  constexpr ir::edge e = plan::net.edges[E];
  constexpr int steps = plan::steps(E);
  if constexpr (e.is_token() && e.axis >= 0) {
    engine::access::set_input<E>(live,
                                 std::vector<std::vector<int>>(plan::batch, std::vector<int>(steps, 1)));
  } else if constexpr (e.is_token()) {
    engine::access::set_input<E>(live, std::vector<int>(plan::batch, 1));
  } else {
    const std::vector<float> x(std::size_t(plan::batch) * steps * e.layers * e.size, 1.0f);
    const auto give = [&](auto... extents) {
      engine::access::set_input<E>(live, view<const float>(x.data(), {extents...}));
    };
    if constexpr (e.is_grid()) give(int(plan::batch), int(e.grid.height), int(e.grid.width), int(e.size));
    else if constexpr (e.axis >= 0) give(int(plan::batch), steps, int(e.size));
    else if constexpr (e.layers > 1) give(int(e.layers), int(plan::batch), int(e.size));
    else give(int(plan::batch), int(e.size));
  }
}

// Runs the callbacks; returns what went wrong.
template <class Live>
int check_realtime(const char* title) {
  using plan = typename Live::plan;
  static constexpr auto inputs = engine::given_inputs<plan, true>;
  static const parameters<typename plan::graph_type> theta(seed{1});
  static Live live(theta);
  const auto each = [&](auto f) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return std::tuple(f(std::integral_constant<int, inputs[I]>{})...);
    }
    (std::make_integer_sequence<int, inputs.size>{});
  };
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (
        [&] {
          constexpr int e = plan::net.inputs[I];
          if constexpr (!plan::is_stepped_edge(e)) give_what_stays<e>(live);
        }(),
        ...);
  }
  (std::make_integer_sequence<int, plan::net.inputs.size>{});
  live.prepare();

  constexpr int steps = plan::block, rows = plan::in_blocks ? 1 : plan::batch;
  const auto room = each([](auto e) {
    using number = std::conditional_t<plan::net.edges[e].is_token(), int, float>;
    constexpr int size = plan::net.edges[e].is_token() ? 1 : int(plan::net.edges[e].size);
    return std::vector<number>(std::size_t(steps * rows * size), number(1));
  });
  step_status status = step_status::not_prepared;
  const int allocated = allocations_of(
      [&] { status = std::apply([&](const auto&... x) { return deadline(live, std::span(x)...); }, room); });
  std::printf("%s: %s, %d allocations\n", title, status == step_status::taken ? "in time" : "REFUSED",
              allocated);
  return (status != step_status::taken) + (allocated != 0);
}

}  // namespace tenon::test
