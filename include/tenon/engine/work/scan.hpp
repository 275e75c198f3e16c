// work::scan: a cell over time, forward and backward, with sequences that end at different steps.
#pragma once

#include "tenon/engine/work/program.hpp"

namespace tenon::engine {

template <class Plan, int O>
struct operation_run<Plan, O, work::scan> {
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr const operation& op = net.operations[O];
  static constexpr const operation_memory& mine = memory_of<Plan>.operations[O];
  static constexpr int B = Plan::batch;
  using common = program_operation<Plan, O>;
  using compiled_program = typename common::compiled_program;
  using program_memory_type = typename common::program_memory_type;

  static void pack(const places<Plan>& p) { common::pack(p); }
  static void forward(places<Plan>& p) {
    using schedule_type = typename compiled_program::forward_schedule;
    constexpr int axis = net.edges[op.in[0]].axis;
    const int steps = p.walked(O);
    const int* lengths = p.c.lengths[axis];
    program_memory_type m = common::forward_memory(p);
    bind(p, m);
    common::prepare_table(m);
    each_state([&]<int S>() {
      constexpr int H = net.edges[op.out[1 + S]].size;
      if (Plan::streaming && !p.c.starts) return;  // it stands where the last run wrote it
      const binding<T> start = state_read<S>(p);
      T* slot = start.data + (op.reversed ? (steps - 1) * start.step : 0);
      if constexpr (op.in[1 + S] >= 0) {
        const binding<T> given = p.value(op.in[1 + S]);
        backend::copy_rows<H>(Backend{}, p.c.rows, given.data, given.row, slot, H);
        for (int k = p.c.rows * H; k < B * H; ++k) slot[k] = T(0);
      } else {
        for (int k = 0; k < B * H; ++k) slot[k] = T(0);
      }
    });
    run_phase<schedule_type, phase::before, Backend>(m, 0, steps);
    for (int n = 0; n < steps; ++n) {
      const int t = op.reversed ? steps - 1 - n : n;
      run_phase<schedule_type, phase::loop, Backend>(m, t, 1);
      if (t < p.c.full_steps[axis]) continue;
      each_state([&]<int S>() {  // a sequence that has ended keeps its state
        constexpr int H = net.edges[op.out[1 + S]].size;
        const binding<T> from = state_read<S>(p), to = state_written<S>(p);
        backend::copy_rows_where<H>(Backend{}, false, t, B, lengths, from.data + t * from.step, H,
                                    to.data + t * to.step, H);
      });
    }
    run_phase<schedule_type, phase::after, Backend>(m, 0, steps);
    const binding<T> y = m.out[0];
    backend::clear_past_end<net.edges[op.out[0]].size>(Backend{}, steps, B, lengths, y.data, y.row);
    each_state([&]<int S>() {
      constexpr int H = net.edges[op.out[1 + S]].size;
      if constexpr (memory_of<Plan>.value[net.owner(op.out[1 + S])] >= 0) {
        const binding<T> end = state_written<S>(p);
        const T* slot = end.data + (op.reversed ? 0 : (steps - 1) * end.step);
        const binding<T> final_state = p.value(op.out[1 + S]);
        backend::copy_rows<H>(Backend{}, B, slot, H, final_state.data, final_state.row);
      }
    });
  }

  static void backward(places<Plan>& p) {
    using schedule_type = typename compiled_program::backward_schedule;
    constexpr int axis = net.edges[op.in[0]].axis;
    const int steps = p.walked(O);
    const int* lengths = p.c.lengths[axis];
    program_memory_type forward = common::forward_memory(p);
    bind(p, forward);
    program_memory_type m = common::backward_memory(p, forward);

    if constexpr (places<Plan>::has_adjoint(op.out[0]))
      m.in[compiled_program::inputs] = as_source(p.adjoint(op.out[0]));  // zero past each sequence's end
    if constexpr ((Plan::wanted(O) & 1u) != 0 && Plan::tables[O] < 0) m.out[0] = p.contribution(O, 0);

    // What goes from step to step: the adjoint of each state, from that of the final state back to the initial
    // one's.
    T* carried[Plan::states(O) + 1];
    each_state([&]<int S>() {
      constexpr int H = net.edges[op.out[1 + S]].size;
      carried[S] = p.at(mine.carried + S);
      if constexpr (places<Plan>::has_adjoint(op.out[1 + S])) {
        const binding<T> g = p.adjoint(op.out[1 + S]);
        backend::copy_rows<H>(Backend{}, B, g.data, g.row, carried[S], H);
      } else {
        std::fill_n(carried[S], B * H, T(0));
      }
      m.in[compiled_program::inputs + 1 + S] = seeds<S>(p);
      m.out[compiled_program::wanted_before(1 + S)] = adjoints<S>(p);
    });
    run_phase<schedule_type, phase::before, Backend>(m, 0, steps);
    for (int n = 0; n < steps; ++n) {
      const int t = op.reversed ? n : steps - 1 - n;
      const bool all_active = t < p.c.full_steps[axis];
      each_state([&]<int S>() {
        constexpr int H = net.edges[op.out[1 + S]].size;
        binding<const T>& seed = m.in[compiled_program::inputs + 1 + S];
        if (all_active && !compiled_program::keeps_seeds(S)) {
          seed = {carried[S], H, 0};
        } else {
          seed = seeds<S>(p);
          T* rows = p.at(mine.seeds + S) + t * seed.step;
          backend::copy_rows<H>(Backend{}, B, carried[S], H, rows, H);
          if (!all_active)
            for (int r = 0; r < B; ++r)
              if (t >= lengths[r]) std::fill_n(rows + r * H, H, T(0));
        }
        if constexpr (!compiled_program::keeps_adjoints(S))
          m.out[compiled_program::wanted_before(1 + S)].data = p.at(mine.adjoints + S) + n % 2 * B * H;
      });
      run_phase<schedule_type, phase::loop, Backend>(m, t, 1);
      each_state([&]<int S>() {
        constexpr int H = net.edges[op.out[1 + S]].size;
        const binding<T>& adjoint = m.out[compiled_program::wanted_before(1 + S)];
        T* const next = adjoint.data + t * adjoint.step;
        if (!all_active)  // a sequence that has ended passes its adjoint on
          backend::copy_rows_where<H>(Backend{}, false, t, B, lengths, carried[S], H, next, H);
        carried[S] = next;
      });
    }
    each_state([&]<int S>() { m.in[compiled_program::inputs + 1 + S] = seeds<S>(p); });
    run_phase<schedule_type, phase::after, Backend>(m, 0, steps);
    each_state([&]<int S>() {
      constexpr int H = net.edges[op.out[1 + S]].size;
      if constexpr (places<Plan>::has_adjoint(op.in[1 + S])) {
        const binding<T> g = p.contribution(O, 1 + S);
        backend::copy_rows<H>(Backend{}, B, carried[S], H, g.data, g.row);
      }
    });
  }

 private:
  // The sequence of state s has one slot more than steps: a step at t reads one neighbour slot and writes the
  // other. Forward: slot t to slot t + 1.  Reversed: slot t + 1 to slot t.  Streaming: two slots in turn.
  template <int S>
  static binding<T> state_read(const places<Plan>& p) {
    constexpr std::ptrdiff_t H = net.edges[op.out[1 + S]].size;
    if constexpr (Plan::streaming) return {p.c.carried[first_carried() + S], H, B * H};
    else return {p.at(mine.states + S) + (op.reversed ? B * H : 0), H, B * H};
  }
  template <int S>
  static binding<T> state_written(const places<Plan>& p) {
    constexpr std::ptrdiff_t H = net.edges[op.out[1 + S]].size;
    if constexpr (Plan::streaming) return {p.c.carried_on[first_carried() + S], H, B * H};
    else return {p.at(mine.states + S) + (op.reversed ? 0 : B * H), H, B * H};
  }
  // Of the adjoints of state s, one step or all of them.
  template <int S>
  static binding<const T> seeds(const places<Plan>& p) {
    constexpr std::ptrdiff_t H = net.edges[op.out[1 + S]].size;
    return {p.at(mine.seeds + S), H, compiled_program::keeps_seeds(S) ? B * H : 0};
  }
  template <int S>
  static binding<T> adjoints(const places<Plan>& p) {
    constexpr std::ptrdiff_t H = net.edges[op.out[1 + S]].size;
    return {p.at(mine.adjoints + S), H, compiled_program::keeps_adjoints(S) ? B * H : 0};
  }
  static void bind(const places<Plan>& p, program_memory_type& m) {
    if constexpr (Plan::tables[O] < 0) m.in[0] = as_source(p.value(op.in[0]));
    m.out[0] = p.value(op.out[0]);
    each_state([&]<int S>() {
      m.in[1 + S] = as_source(state_read<S>(p));
      m.out[1 + S] = state_written<S>(p);
    });
  }
  template <class F>
  static void each_state(F f) {
    [&]<int... S>(std::integer_sequence<int, S...>) { (f.template operator()<S>(), ...); }
    (std::make_integer_sequence<int, Plan::states(O)>{});
  }
  static constexpr int first_carried() {  // position of the operation's first state among all carried states
    int n = 0;
    for (int o = 0; o < O; ++o)
      if (Plan::active.alive[o]) n += Plan::states(o);
    return n;
  }
};

}  // namespace tenon::engine
