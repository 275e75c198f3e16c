// work::apply: a program at every position.
#pragma once

#include "tenon/engine/operations/program.hpp"
#include "tenon/engine/run_blocks.hpp"

namespace tenon::engine {

template <class T, class Backend, operation_facts Facts, class Program>
struct operation_run<T, Backend, Facts, Program, work::apply> {
  using common = program_operation<T, Backend, Facts, Program>;
  using memory = typename common::memory;

  static void pack(const places<T>& p, packing_share& share) { common::pack(p, share); }
  static void forward(const places<T>& p) {
    const int steps = Facts.streaming ? 1 : p.steps();
    memory m = common::forward_memory(p);
    bind(p, m);
    if constexpr (has_numbers) fill_numbers(p);
    run_all<typename Program::forward_schedule, Backend>(m, steps);
    if constexpr (Facts.made_sequences != 0 && !Facts.never_ends_early())
      clear_outputs(p, m, std::make_integer_sequence<int, Program::outputs>{});
  }
  static void backward(const places<T>& p) {
    memory forward = common::forward_memory(p);
    bind(p, forward);
    memory m = common::backward_memory(p, forward);
    for (int o = 0; o < Program::outputs; ++o)
      m.in[Program::inputs + o] = as_source(p.adjoint(Program::output_number(o)));
    for (int i = common::first_input; i < Facts.inputs; ++i)
      if (Program::is_wanted(i)) m.out[Program::wanted_before(i)] = p.share(i);
    run_all<typename Program::backward_schedule, Backend>(m, p.steps());
  }

 private:
  static constexpr std::make_integer_sequence<int, Program::inputs - Facts.inputs> own_inputs{};
  template <int I>
  static constexpr own_input what = own_input_of(Program::source, Facts.inputs + I);
  static constexpr bool has_numbers = Facts.tokens != 0 || Program::inputs > Facts.inputs;

  template <int... O>
  static void clear_outputs(const places<T>& p, const memory& m, std::integer_sequence<int, O...>) {
    (clear_output<O>(p, m), ...);
  }
  template <int O>
  static void clear_output(const places<T>& p, const memory& m) {
    if constexpr (Facts.has(Facts.made_sequences, Program::output_number(O)))
      clear_past_end<Program::source.code[Program::source.outputs[O]].size, Facts.batch>(Backend{}, p,
                                                                                         m.out[O]);
  }
  static void bind(const places<T>& p, memory& m) {
    for (int i = common::first_input; i < Facts.inputs; ++i) {
      m.in[i] = as_source(p.in(i));
      if constexpr (Program::reduces)
        if (Facts.has(Facts.sequences, i) && detail::as_operand(m.in[i]).is_rows_of_steps())
          m.in_rows_of_steps = true;
    }
    if constexpr (has_numbers) bind_numbers(p, m);
    for (int o = 0; o < Program::outputs; ++o) m.out[o] = p.out(Program::output_number(o));
  }
  // Tokens as numbers, and the numbers that the equation asks for itself.
  static void bind_numbers(const places<T>& p, memory& m) {
    [[maybe_unused]] int region = p.o.own.numbers;
    if constexpr (Facts.tokens != 0)
      for (int i = 0; i < Facts.inputs; ++i)
        if (Facts.has(Facts.tokens, i)) {
          constexpr std::ptrdiff_t step = Facts.batch;
          m.in[i] = {p.at(region++), 1, Facts.has(Facts.sequences, i) ? step : 0};
        }
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((m.in[Facts.inputs + I] = {p.at(region++), what<I> == own_input::length ? 1 : 0,
                                  what<I> == own_input::position ? 1 : 0}),
       ...);
    }
    (own_inputs);
  }
  static void fill_numbers(const places<T>& p) {
    [[maybe_unused]] int region = p.o.own.numbers;
    if constexpr (Facts.tokens != 0)
      for (int i = 0; i < Facts.inputs; ++i)
        if (Facts.has(Facts.tokens, i))
          backend::numbers_of_tokens(Backend{}, (Facts.has(Facts.sequences, i) ? p.steps() : 1) * Facts.batch,
                                     p.tokens(i), p.at(region++));
    const auto fill = [&](own_input what, int size) {
      T* const to = p.at(region++);
      if (what == own_input::length) backend::numbers_of_tokens(Backend{}, Facts.batch, p.lengths(), to);
      else backend::count_up(Backend{}, what == own_input::position ? p.steps() : size, to);
    };
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (fill(what<I>, Program::source.inputs[Facts.inputs + I]), ...);
    }
    (own_inputs);
  }
};

}  // namespace tenon::engine
