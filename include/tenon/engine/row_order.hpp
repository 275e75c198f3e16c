// row_order: how the rows of an edge stand in memory. Sequences stand in steps of rows, as products of all
// rows of a step want them. An input that attention alone reads, by maps, meets no product: it stands in rows
// of steps, so that each row is one stream.
#pragma once

#include "tenon/engine/plan.hpp"

namespace tenon::engine {

template <class Plan>
struct row_order {
  static constexpr const auto& net = Plan::net;

  static constexpr bool is_rows_of_steps(int e) {
    return net.find_input(e) >= 0 && !net.edges[e].is_token() && Plan::steps(e) > 1 && Plan::batch > 1 &&
           !net.is_output(e) && is_only_attended(e);
  }
  // Elements from one row to the next, and from one step or slab to the next.
  static constexpr int row_stride(int e) {
    return net.edges[e].size * (is_rows_of_steps(e) ? Plan::steps(e) : 1);
  }
  static constexpr int step_stride(int e) {
    return net.edges[e].size * (is_rows_of_steps(e) ? 1 : Plan::batch);
  }

 private:
  // One attention reads it, as its states, and nobody else.
  static constexpr bool is_only_attended(int e) {
    int attended = 0;
    for (int o = 0; o < net.operations.size; ++o)
      for (int i = 0; i < net.operations[o].in.size && Plan::active.alive[o]; ++i) {
        const int in = net.operations[o].in[i];
        if (in < 0 || net.owner(in) != e) continue;
        if (i != 1 || in != e || attentions_of_maps.find(o) < 0) return false;
        ++attended;
      }
    return attended == 1;
  }

  static constexpr auto attentions = [] {
    list<int, net.operations.size + 1> all;
    for (int o = 0; o < net.operations.size; ++o)
      if (Plan::active.alive[o] && net.operations[o].what == work::attend) all.add(o);
    return all;
  }();
  template <int O>
  static constexpr bool is_of_maps() {
    using code = typename Plan::template program_of<O>;
    return runs_in_blocks(code::forward_schedule::value) &&
           (!code::has_gradient || runs_in_blocks(code::backward_schedule::value));
  }
  // Those whose programs, forward and back, are maps and nothing else.
  static constexpr auto attentions_of_maps = []<int... A>(std::integer_sequence<int, A...>) {
    list<int, net.operations.size + 1> all;
    (void(is_of_maps<attentions[A]>() && (all.add(attentions[A]), true)), ...);
    return all;
  }
  (std::make_integer_sequence<int, attentions.size>{});
};

}  // namespace tenon::engine
