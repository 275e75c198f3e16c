// work::apply: a program at every position.
#pragma once

#include "tenon/engine/work/program.hpp"

namespace tenon::engine {

template <class Plan, int O>
struct operation_run<Plan, O, work::apply> {
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr const operation& op = net.operations[O];
  using common = program_operation<Plan, O>;
  using compiled_program = typename common::compiled_program;
  using program_memory_type = typename common::program_memory_type;

  static void pack(const places<Plan>& p) { common::pack(p); }
  static void forward(places<Plan>& p) {
    program_memory_type m = common::forward_memory(p);
    bind(p, m);
    common::prepare_table(m);
    run_phase<typename compiled_program::forward_schedule, phase::before, Backend>(m, 0, p.walked(O));
    if constexpr (net.edges[op.out[0]].axis >= 0) p.template clear_past_end<op.out[0]>(m.out[0]);
  }
  static void backward(places<Plan>& p) {
    program_memory_type forward = common::forward_memory(p);
    bind(p, forward);
    program_memory_type m = common::backward_memory(p, forward);
    m.in[compiled_program::inputs] = as_source(p.adjoint(op.out[0]));
    constexpr unsigned wanted = Plan::wanted(O);
    for (int i = 0, n = 0; i < op.in.size; ++i)
      if (((wanted >> i) & 1u) != 0) {
        if (i > 0 || Plan::tables[O] < 0) m.out[n] = p.contribution(O, i);
        ++n;
      }
    run_phase<typename compiled_program::backward_schedule, phase::before, Backend>(m, 0, p.walked(O));
  }

 private:
  static void bind(const places<Plan>& p, program_memory_type& m) {
    for (int i = Plan::tables[O] < 0 ? 0 : 1; i < op.in.size; ++i) m.in[i] = as_source(p.value(op.in[i]));
    m.out[0] = p.value(op.out[0]);
  }
};

}  // namespace tenon::engine
