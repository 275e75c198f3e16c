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
    run_phase<typename compiled_program::forward_schedule, phase::before, Backend>(m, 0, p.walked(O));
    p.template clear_past_end<op.out[0]>(m.out[0]);
  }
  static void backward(places<Plan>& p) {
    program_memory_type forward = common::forward_memory(p);
    bind(p, forward);
    program_memory_type m = common::backward_memory(p, forward);
    m.in[compiled_program::inputs] = common::as_source(p.adjoint(op.out[0]));
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (
          [&] {
            if constexpr (((Plan::wanted(O) >> I) & 1u) != 0)
              m.out[compiled_program::wanted_before(I)] = p.contribution(O, I);
          }(),
          ...);
    }
    (std::make_integer_sequence<int, op.in.size>{});
    run_phase<typename compiled_program::backward_schedule, phase::before, Backend>(m, 0, p.walked(O));
  }

 private:
  static void bind(const places<Plan>& p, program_memory_type& m) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((m.in[I] = common::as_source(p.value(op.in[I]))), ...);
    }
    (std::make_integer_sequence<int, op.in.size>{});
    m.out[0] = p.value(op.out[0]);
  }
};

}  // namespace tenon::engine
