// operation_kind::scan: a cell over time, forward and backward, with sequences that end at different steps.
#pragma once

#include "tenon/engine/run/kernels/loop.hpp"
#include "tenon/engine/run/kernels/row_loop.hpp"
#include "tenon/engine/run/operations/scan_states.hpp"

namespace tenon::inline v0_1::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct operation_run<T, Backend, Signature, Program, operation_kind::scan>
    : private scan_states<T, Backend, Signature, Program> {
  using common = program_operation<T, Backend, Signature, Program>;
  using memory = typename common::memory;
  static constexpr int B = Signature.batch;

  using states = scan_states<T, Backend, Signature, Program>;
  using states::deliver_states, states::next_adjoints, states::adjoints;
  using states::pass_states;
  using states::state, states::is_reversed, states::each_constant;
  using states::state_read, states::state_written, states::start_states, states::keep_ended_states;

  static void pack(const places<T>& p, packing_shard& shard) { common::pack(p, shard); }
  static void forward(const places<T>& p) {
    using schedule_type = typename Program::forward_schedule;
    const int steps = Signature.one_step() ? 1 : p.steps();
    memory m = common::forward_memory(p);
    bind(p, m);
    common::fill_numbers(p);
    start_states(p);
    inner_view seen(p, m);
    begin_loop<schedule_type, Backend>(m);
    in_blocks(m, steps, p.o.forward_block, !is_reversed(p), [&](int first, int count) {
      run_phase<schedule_type, phase::before, Backend>(m, first, count);
      if constexpr (Program::takes_loop) {
        run_loop<schedule_type, Backend>(m, {first, count, is_reversed(p)});
      } else {
        for (int n = 0; n < count; ++n) {
          const int t = is_reversed(p) ? first + count - 1 - n : first + n;
          seen.begin_step(t);
          run_phase<schedule_type, phase::loop, Backend>(m, t, 1);
          if (!Signature.never_ends_early() && t >= p.full_steps()) keep_ended_states(p, t);
        }
        seen.end_loop();
      }
      run_phase<schedule_type, phase::after, Backend>(m, first, count);
    });
    if constexpr (!Signature.never_ends_early()) clear_past_end<Signature.size, B>(Backend{}, p, m.out[0]);
    deliver_states(p);
    states::keep_last_states(p);
  }

  // Computes what the steps of a stream do not change.
  static void begin(const places<T>& p) {
    memory m = common::forward_memory(p);
    bind(p, m);
    common::fill_numbers(p);
    run_phase<typename Program::forward_schedule, phase::once, Backend>(m, 0, 1);
  }

  static void backward(const places<T>& p) {
    using schedule_type = typename Program::backward_schedule;
    const int steps = p.steps();
    memory forward = common::forward_memory(p);
    bind(p, forward);
    memory m = common::backward_memory(p, forward);

    if constexpr (Signature.has(Signature.outputs_with_adjoint, 0))
      m.in[Program::inputs] = as_source(p.adjoint(0));  // zero past each sequence's end
    if constexpr (Program::requires_adjoint_of(0) && !Program::has_table) m.out[0] = p.contribution(0);

    bool starts_at_zero = true, requires_start_adjoint = false;
    repeat<Program::states>([&](auto s) {
      starts_at_zero = starts_at_zero && !Signature.has(Signature.present, 1 + s);
      requires_start_adjoint = requires_start_adjoint || Signature.has(Signature.requires_adjoint, 1 + s);
    });
    if (starts_at_zero) m.zero_step = is_reversed(p) ? steps - 1 : 0;

    // Carried from step to step: the adjoint of each state, from the final state back to the initial state.
    T* carried[Program::states + 1];
    backend::block_of_numbers<T> zeros[Program::states + 1]{};
    int zero_count = 0;
    repeat<Program::states>([&](auto s) {
      constexpr int state_size = state[s].size;
      carried[s] = p.at(region_kind::carried_adjoint, s);
      if constexpr (Signature.has(Signature.outputs_with_adjoint, 1 + s)) {
        const operand<T> g = p.adjoint(1 + s);
        copy_rows<state_size>(Backend{}, B, g.data, g.row, carried[s], state_size);
      } else {
        zeros[zero_count++] = {carried[s], B * state_size};
      }
      m.in[Program::inputs + 1 + s] = next_adjoints(p, s);
      m.out[Program::adjoints_before(1 + s)] = adjoints(p, s);
    });
    states::clear(zero_count, zeros);
    each_constant([&](auto i) {
      if constexpr (Program::requires_adjoint_of(i)) m.out[Program::adjoints_before(i)] = p.contribution(i);
    });
    inner_view seen(p, m);
    begin_loop<schedule_type, Backend>(m);
    const auto one_step = [&](int t) TENON_FLATTEN {
      const bool all_active = t < p.full_steps();
      backend::passed_rows<T> passed[Program::states + 1]{};
      repeat<Program::states>([&](auto s) {
        constexpr int state_size = state[s].size;
        operand<const T>& next = m.in[Program::inputs + 1 + s];
        if (all_active && !state[s].keeps_next_adjoints) {
          next = {carried[s], state_size, 0};
        } else {
          next = next_adjoints(p, s);
          passed[s] = {carried[s], p.at(region_kind::next_adjoint, s) + t * next.step, state_size};
          if (all_active)
            copy_rows<state_size>(Backend{}, B, carried[s], state_size, passed[s].to, state_size);
        }
        if constexpr (!Program::keeps_adjoints(s))
          m.out[Program::adjoints_before(1 + s)].data =
              p.at(region_kind::state_adjoint, s) + t % 2 * B * state_size;
      });
      if (!all_active) pass_states(p, true, t, passed);
      m.ends_loop = !requires_start_adjoint && t == (is_reversed(p) ? steps - 1 : 0);
      seen.begin_step(t);
      run_phase<schedule_type, phase::loop, Backend>(m, t, 1);
      repeat<Program::states>([&](auto s) {
        const operand<T>& adjoint = m.out[Program::adjoints_before(1 + s)];
        passed[s] = {carried[s], adjoint.data + t * adjoint.step, state[s].size};
        carried[s] = passed[s].to;
      });
      if (!all_active) pass_states(p, false, t, passed);  // a sequence that has ended passes its adjoint on
    };
    in_blocks(m, steps, p.o.backward_block, is_reversed(p), [&](int first, int count) {
      run_phase<schedule_type, phase::before, Backend>(m, first, count);
      if constexpr (Program::takes_row_loop) run_back<schedule_type>(p, m, first, count, carried);
      else
        for (int n = 0; n < count; ++n) one_step(is_reversed(p) ? first + n : first + count - 1 - n);
      repeat<Program::states>([&](int s) { m.in[Program::inputs + 1 + s] = next_adjoints(p, s); });
      seen.end_loop();
      run_phase<schedule_type, phase::after, Backend>(m, first, count);
    });
    repeat<Program::states>([&](auto s) {
      constexpr int state_size = state[s].size;
      if constexpr (Signature.has(Signature.requires_adjoint, 1 + s)) {
        const operand<T> g = p.contribution(1 + s);
        copy_rows<state_size>(Backend{}, B, carried[s], state_size, g.data, g.row);
      }
    });
  }

 private:
  // Calls run(first step, count) for each block of steps.
  template <class F>
  static void in_blocks(memory& m, int steps, int block, bool ascending, F run) {
    if constexpr (Signature.one_step()) {
      run(0, 1);
    } else {
      for (int n = 0; n == 0 || n < steps; n += block) {  // sums begin even if there is no step
        const int count = block < steps - n ? block : steps - n;
        m.first_step = ascending ? n : steps - n - count;
        m.continues = n > 0;
        run(m.first_step, count);
      }
    }
  }

  static void bind(const places<T>& p, memory& m) {
    if constexpr (!Program::has_table && Signature.has(Signature.present, 0)) m.in[0] = as_source(p.in(0));
    m.out[0] = p.out(0);
    repeat<Program::states>([&](int s) {
      m.in[1 + s] = as_source(state_read(p, s));
      m.out[1 + s] = state_written(p, s);
    });
    each_constant([&](int i) { m.in[i] = as_source(p.in(i)); });
    common::bind_numbers(p, m);
    if constexpr (Signature.one_step()) m.is_odd = p.c.stream.is_odd();
  }
  // Runs all steps of the backward pass as one kernel of the backend.
  template <class Schedule>
  static void run_back(const places<T>& p, memory& m, int first, int count, T** carried) {
    backend::row_state<T> all[Program::states];
    const int last = is_reversed(p) ? first + count - 1 : first;
    int column = 0;
    repeat<Program::states>([&](auto s) {
      constexpr int state_size = state[s].size;
      constexpr bool keeps_next = state[s].keeps_next_adjoints, keeps = state[s].keeps_adjoints;
      T* const next = p.at(region_kind::next_adjoint, s);
      T* const adjoint = p.at(region_kind::state_adjoint, s);
      const std::ptrdiff_t step = B * state_size;
      all[s] = {column, state_size, carried[s],       keeps_next ? next + first * step : nullptr,
                step,   adjoint,    keeps ? step : 0, keeps ? 0 : step,
                keeps};
      column += state_size;
    });
    const bool all_active = p.full_steps() >= first + count;
    const int* const lengths = m.lengths;
    if (all_active) m.lengths = nullptr;
    run_row_loop<Schedule, Backend>(m, {first, count, !is_reversed(p)}, Program::states, all);
    m.lengths = lengths;
    if (count > 0)
      repeat<Program::states>([&](int s) {
        carried[s] = all[s].adjoint + last * all[s].adjoint_step + last % 2 * all[s].parity_step;
      });
  }

  // The lengths of the inner axis that each step of the loop sees, if there is such an axis.
  struct nothing_inner {
    nothing_inner(const places<T>&, memory&) {}
    void begin_step(int) {}
    void end_loop() {}
  };
  struct all_inner {
    memory& m;
    typename common::inner_lengths lengths;
    all_inner(const places<T>& p, memory& of) : m(of), lengths(p) {}
    void begin_step(int t) { m.inner_lengths = lengths.at(t); }
    void end_loop() { m.inner_lengths = lengths.of_all(); }
  };
  using inner_view = std::conditional_t<Signature.sees_inner, all_inner, nothing_inner>;
};

}  // namespace tenon::inline v0_1::engine
