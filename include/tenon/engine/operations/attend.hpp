// work::attend: attention over time. A program scores every step; the softmax of the scores weighs the states.
#pragma once

#include "tenon/engine/operations/program.hpp"
#include "tenon/engine/run_blocks.hpp"

namespace tenon::engine {

template <class T, class Backend, operation_facts Facts, class Program>
struct operation_run<T, Backend, Facts, Program, work::attend> {
  using common = program_operation<T, Backend, Facts, Program>;
  using memory = typename common::memory;

  static void pack(const places<T>& p, packing_share& share) { common::pack(p, share); }
  static void forward(const places<T>& p) {
    memory m = common::forward_memory(p);
    bind(p, m);
    const binding<T> y = p.out(context);
    T* const alpha = p.out(weights).data;
    run_all<typename Program::forward_schedule, Backend>(m, p.steps());
    backend::time_softmax(Backend{}, p.steps(), B, p.lengths(), p.out(scores).data, alpha);
    backend::weighted_sum<D>(Backend{}, p.steps(), B, alpha, detail::as_operand(m.in[states]), y.data, y.row);
  }
  static void backward(const places<T>& p) {
    memory forward = common::forward_memory(p);
    bind(p, forward);
    memory m = common::backward_memory(p, forward);
    m.in[Program::inputs] = as_source(p.out(weights));
    int given = Program::inputs + Program::outputs + Program::pair.saved.size;
    if constexpr (Facts.has(Facts.outputs_with_adjoint, context))
      m.in[given++] = as_source(p.adjoint(context)), m.in[given++] = as_source(p.out(context));
    if constexpr (Facts.has(Facts.outputs_with_adjoint, weights)) m.in[given] = as_source(p.adjoint(weights));
    for (int i = 0; i < Program::inputs; ++i)
      if (Program::is_wanted(i)) m.out[Program::wanted_before(i)] = p.share(i);
    run_all<typename Program::backward_schedule, Backend>(m, p.steps());
  }

 private:
  static constexpr int B = Facts.batch, D = Facts.size;
  static constexpr int query = 0, states = 1;                 // inputs
  static constexpr int context = 0, weights = 1, scores = 2;  // outputs

  static void bind(const places<T>& p, memory& m) {
    m.in[query] = as_source(p.in(query)), m.in[states] = as_source(p.in(states));
    m.out[0] = p.out(scores);
    m.in_rows_of_steps = detail::as_operand(m.in[states]).is_rows_of_steps();
  }
};

}  // namespace tenon::engine
