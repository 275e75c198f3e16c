// operation_kind::apply: a program at every position.
#pragma once

#include "tenon/engine/run/operations/program.hpp"
#include "tenon/engine/run/run_blocks.hpp"

namespace tenon::inline v0_1::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct operation_run<T, Backend, Signature, Program, operation_kind::apply> {
  using common = program_operation<T, Backend, Signature, Program>;
  using memory = typename common::memory;

  static void pack(const places<T>& p, packing_shard& shard) { common::pack(p, shard); }
  static void forward(const places<T>& p) {
    const int steps = Signature.one_step() ? 1 : p.steps();
    memory m = common::forward_memory(p);
    bind(p, m);
    common::fill_numbers(p);
    run<typename Program::forward_schedule>(p, m, steps);
    if constexpr (Signature.made_sequences != 0 && !Signature.never_ends_early())
      clear_outputs(p, m, std::make_integer_sequence<int, Program::outputs>{});
  }
  // Computes what the steps of a stream do not change.
  static void begin(const places<T>& p) {
    memory m = common::forward_memory(p);
    bind(p, m);
    common::fill_numbers(p);
    run_phase<typename Program::forward_schedule, phase::once, Backend>(m, 0, 1);
  }
  static void backward(const places<T>& p) {
    memory forward = common::forward_memory(p);
    bind(p, forward);
    memory m = common::backward_memory(p, forward);
    for (int o = 0; o < Program::outputs; ++o)
      m.in[Program::inputs + o] = as_source(p.adjoint(Program::output_number(o)));
    for (int i = common::first_input; i < Signature.inputs; ++i)
      if (Program::requires_adjoint_of(i)) m.out[Program::adjoints_before(i)] = p.contribution(i);
    run<typename Program::backward_schedule>(p, m, p.steps());
  }

 private:
  // Runs all steps at once; if each step sees the inner axis whole, runs one sequence after the other, or blocks of
  // steps of all sequences. A single step sees no inner steps in rows that have ended; in a block, each kernel handles
  // ended rows itself.
  template <class Schedule>
  static void run(const places<T>& p, memory& m, int steps) {
    if constexpr (!Signature.sees_inner) {
      run_all<Schedule, Backend>(m, steps, p.o.forward_block);
    } else if constexpr (Program::by_sequence) {
      run_sequences<Schedule, Backend>(m, steps);
    } else {
      typename common::inner_lengths lengths(p);
      constexpr int together = steps_at_once<Schedule>;
      begin_loop<Schedule, Backend>(m);
      run_phase<Schedule, phase::before, Backend>(m, 0, steps);
      for (int t = 0; t < steps; t += together) {
        m.block = together < steps - t ? together : steps - t;
        if constexpr (Schedule::value.lanes == 0) {
          m.inner_steps = lengths.steps_at(t);
          m.inner_lengths = lengths.at(t);
        }
        run_phase<Schedule, phase::loop, Backend>(m, t, 1);
      }
      m.inner_steps = lengths.steps_of_all();
      m.inner_lengths = lengths.of_all();
      run_phase<Schedule, phase::after, Backend>(m, 0, steps);
    }
  }

  template <int... O>
  static void clear_outputs(const places<T>& p, const memory& m, std::integer_sequence<int, O...>) {
    (clear_output<O>(p, m), ...);
  }
  template <int O>
  static void clear_output(const places<T>& p, const memory& m) {
    if constexpr (Signature.has(Signature.made_sequences, Program::output_number(O)))
      clear_past_end<Program::source.code[Program::source.outputs[O]].size, Signature.batch>(
          Backend{}, p, m.out[O],
          Program::has_axis_of(O, dimension::inner) ? dimension::inner : dimension::time);
  }
  static void bind(const places<T>& p, memory& m) {
    for (int i = common::first_input; i < Signature.inputs; ++i) {
      m.in[i] = as_source(p.in(i));
      if constexpr (Program::reduces)
        if (Signature.has(Signature.sequences, i) && m.in[i].is_rows_of_steps()) m.in_rows_of_steps = true;
    }
    common::bind_numbers(p, m);
    for (int o = 0; o < Program::outputs; ++o) m.out[o] = p.out(Program::output_number(o));
  }
};

}  // namespace tenon::inline v0_1::engine
