// work::gather: rows of a table.
#pragma once

#include "tenon/engine/places.hpp"

namespace tenon::engine {

template <class Plan, int O>
struct operation_run<Plan, O, work::gather> {
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr const operation& op = net.operations[O];
  static constexpr int B = Plan::batch;

  static void forward([[maybe_unused]] places<Plan>& p) {
    if constexpr (Plan::is_table_alone(O)) return;
    else look_up(p);
  }
  static void backward([[maybe_unused]] places<Plan>& p) {
    if constexpr (!Plan::is_table_alone(O)) add_gradient(p);
  }
  // Calls f(row) for every row that is looked up.
  template <class F>
  static void for_rows(const places<Plan>& p, F f) {
    for (int r = 0; r < p.walked(O) * B; ++r)
      if (const int token = p.c.tokens[op.in[0]][r]; token >= 0)
        f(p.c.parameters + net.parameters[op.parameters[0]].offset +
          std::ptrdiff_t(token) * net.edges[op.out[0]].size);
  }

 private:
  static void look_up(places<Plan>& p) {
    constexpr int D = net.edges[op.out[0]].size;
    const binding<T> y = p.value(op.out[0]);
    backend::gather<D>(Backend{}, p.walked(O) * B, p.c.tokens[op.in[0]],
                       p.c.parameters + net.parameters[op.parameters[0]].offset, y.data, y.row);
  }
  static void add_gradient(places<Plan>& p) {
    constexpr int D = net.edges[op.out[0]].size;
    const binding<T> g = p.adjoint(op.out[0]);
    backend::scatter_add<D>(Backend{}, p.walked(O) * B, p.c.tokens[op.in[0]], g.data, g.row, op.skipped,
                            p.c.gradients + net.parameters[op.parameters[0]].offset);
  }
};

}  // namespace tenon::engine
