// row_order: how the rows of an edge are stored. Sequences are stored step by step, because products need all
// rows of a step together. An input that is weighted and summed along its axis, and otherwise read only by maps, is in
// no product: it is stored row by row, so that each row is read as one stream.
#pragma once

#include "tenon/engine/plan/plan.hpp"

namespace tenon::inline v0_1::engine {

template <class Plan>
struct row_order {
  static constexpr const auto& net = Plan::net;

  static constexpr bool is_rows_of_steps(int e) {
    return net.find_input(e) >= 0 && !net.edges[e].is_token() && !Plan::is_stepped_edge(e) &&
           Plan::steps(e) > 1 && Plan::batch > 1 && !net.is_output(e) && is_only_weighed(e);
  }
  // Elements from one row to the next, and from one step or layer to the next.
  static constexpr int row_stride(int e) {
    return net.edges[e].size * (is_rows_of_steps(e) ? Plan::steps(e) : 1);
  }
  static constexpr int step_stride(int e) {
    return net.edges[e].size * (is_rows_of_steps(e) ? 1 : Plan::batch);
  }

 private:
  // One operation reads it, only in maps and weighted sums, and nothing else does.
  static constexpr bool is_only_weighed(int e) {
    int readers = 0;
    for (int o = 0; o < net.operations.size; ++o)
      for (int i = 0; i < net.operations[o].in.size && Plan::active.alive[o]; ++i) {
        const int in = net.operations[o].in[i];
        if (in < 0 || net.owner(in) != e) continue;
        if (in != e || i >= 32 || ((weighed_inputs[o] >> i) & 1u) == 0) return false;
        ++readers;
      }
    return readers == 1;
  }

  // Operations that work along an axis.
  static constexpr auto along_axes = [] {
    list<int, net.operations.size + 1> all;
    for (int o = 0; o < net.operations.size; ++o) {
      if (!traits_of(net.operations[o].kind).is_equation || !Plan::active.alive[o]) continue;
      bool along = false;
      for (const instruction& i : net.programs[net.operations[o].program].code)
        along = along || is_over_axis(i.code);
      if (along) all.add(o);
    }
    return all;
  }();
  // Inputs of operation O that a weighted sum reads, and otherwise only maps, forward and backward: bit i.
  template <int O>
  static constexpr unsigned find_weighed() {
    using code = typename Plan::template program_of<O>;
    if (code::has_gradient && !runs_in_blocks(code::backward_schedule::value)) return 0;
    const schedule_view& s = code::forward_schedule::value;
    unsigned weighed = 0, multiplied = 0;
    for (const kernel& k : s.kernels) {
      if (k.kind == kernel_kind::map || k.when == phase::none) continue;
      const instruction& i = s.equations.code[k.value];
      for_operands(i, [&](int o) {
        if (s.places[o].in != space::input) return;
        unsigned& set = k.kind == kernel_kind::weighted_sum ? weighed : multiplied;
        set |= 1u << s.places[o].index;
      });
    }
    return weighed & ~multiplied;
  }
  static constexpr auto weighed_inputs = []<int... A>(std::integer_sequence<int, A...>) {
    list<unsigned, net.operations.size + 1> all;
    all.size = net.operations.size;
    ((all[along_axes[A]] = find_weighed<along_axes[A]>()), ...);
    return all;
  }
  (std::make_integer_sequence<int, along_axes.size>{});
};

}  // namespace tenon::inline v0_1::engine
