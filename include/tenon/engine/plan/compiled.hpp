// compiled: a program, differentiated if the plan trains, and scheduled. Equal programs of all graphs share it.
#pragma once

#include "tenon/engine/plan/packing.hpp"
#include "tenon/engine/plan/program_memory.hpp"
#include "tenon/equation/split.hpp"
#include "tenon/lowering/accumulate.hpp"
#include "tenon/lowering/history.hpp"
#include "tenon/lowering/lanes.hpp"
#include "tenon/lowering/loop.hpp"
#include "tenon/lowering/make_schedule.hpp"
#include "tenon/lowering/row_loop.hpp"
#include "tenon/lowering/stage.hpp"
#include "tenon/lowering/table.hpp"
#include "tenon/lowering/window_products.hpp"
#include "tenon/program/encoding.hpp"

#include <algorithm>
#include <utility>

namespace tenon::inline v0_1::engine {

// How a program is differentiated and scheduled in a plan.
struct lowering {
  int states = 0;                            // carried values of a scan
  unsigned requires_adjoint = 0;             // bit i: the adjoint of input i is needed
  unsigned initialized = 0;                  // bit i: others have written to the adjoint of input i before
  bool accumulates = false;                  // maps may add to it in place,
  bool accumulates_in_products = false;      // and so may products
  bool training = false;                     // there is a backward program
  bool one_step = false;                     // a scan is no loop
  bool of_table = false;                     // the first input is rows of a table
  int neighbours = 0;                        // the first input is windows that are read in place
  bool once = false;                         // values that the steps do not change are computed before them
  unsigned outputs = ~0u;                    // bit o: output o is read
  unsigned has_adjoint = ~0u;                // bit o: something depends on output o
  symbol_set frozen = 0;                     // its symbols that have no gradient
  stage_limits stages{}, stages_of_steps{};  // in a loop or without steps; on all steps at once
  int lanes = 0;             // steps that a loop may run at once, if each sees an inner axis ..
  bool by_sequence = false;  // .. for one sequence after the other, else for all sequences
  int kept_steps = 0;        // in a stream: the most steps that are kept for later ones; 0: none
  int block = 1;             // of them, those that come at once
  loop_limits loops{};       // scan: the limits of a loop that runs as one kernel
  bool shared = false;       // several threads may share its kernels

  constexpr bool operator==(const lowering&) const = default;
};

// The program with only those outputs that are read.
constexpr program with_outputs(const program& p, unsigned read) {
  program q = p;
  q.outputs = {};
  for (int o = 0; o < p.outputs.size; ++o)
    if (((read >> o) & 1u) != 0) q.outputs.add(p.outputs[o]);
  return q.outputs.size == p.outputs.size ? p : eliminate_dead_code(q);
}

constexpr gradient_pair with_lanes(gradient_pair both, int lanes) {
  if (has_pairs(both.forward)) both.forward = with_lanes(both.forward, lanes);
  if (has_pairs(both.backward)) both.backward = with_lanes(both.backward, lanes);
  return both;
}

// The part that does not depend on stages and phases. Sessions of one row and of many rows share it and its code.
template <auto Program, lowering How>
struct compiled_gradient {
  struct source_maker {
    decltype(Program) code = Program;
    constexpr program make() const { return with_outputs(decode<program>(code), How.outputs); }
  };
  using kept_source = shortened<source_maker, basic_program>;
  static constexpr program_view source = kept_source::value;
  static constexpr int inputs = source.inputs.size, outputs = source.outputs.size, states = How.states;
  static constexpr bool has_gradient = How.training, has_table = How.of_table;

  // The number in the equation of the output that is number `output` here.
  static constexpr int output_number(int output) {
    int number = 0;
    for (; output > 0 || ((How.outputs >> number) & 1u) == 0; ++number)
      output -= int((How.outputs >> number) & 1u);
    return number;
  }
  static constexpr bool reduces = [] {
    for (const instruction& i : source.code)
      if (is_over_axis(i.code)) return true;
    return false;
  }();

  static constexpr bool requires_adjoint_of(int input) { return ((How.requires_adjoint >> input) & 1u) != 0; }
  // Position of an input's adjoint among the backward outputs.
  static constexpr int adjoints_before(int input) {
    int n = 0;
    for (int i = 0; i < input; ++i) n += requires_adjoint_of(i);
    return n;
  }

  struct pair_maker {
    program_view from = source;
    constexpr gradient_pair make() const {
      if constexpr (How.kept_steps > 0)
        return with_lanes(gradient_pair{.forward = with_history(from, How.kept_steps, How.block)}, How.lanes);
      else if constexpr (!How.training) return with_lanes(gradient_pair{.forward = from}, How.lanes);
      list<bool, max_program_inputs> requires_adjoint;
      for (int i = 0; i < inputs; ++i) requires_adjoint.add(requires_adjoint_of(i));
      list<int, max_program_outputs> without_adjoint;
      for (int o = 0; o < outputs; ++o)
        if (((How.has_adjoint >> output_number(o)) & 1u) == 0) without_adjoint.add(o);
      return with_lanes(split(reverse(from, requires_adjoint, without_adjoint, How.frozen)), How.lanes);
    }
  };
  using kept_pair = shortened<pair_maker, basic_gradient_pair, (How.training ? 3 : 1) * kept_source::longest>;
  static constexpr gradient_pair_view pair = kept_pair::value;

  // The values that the forward program keeps for the backward one: their widths, and the axes of their rows.
  static constexpr auto kept = [] {
    const program_view p = pair.forward;
    domain domains[max_instructions]{};
    for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
    list<buffer, pair.forward.outputs.size - outputs> all;
    for (int s = outputs; s < p.outputs.size; ++s) {
      const domain rows = domains[p.outputs[s]];
      all.add({p.code[p.outputs[s]].size, rows == domain::free || has_axis(rows, dimension::time),
               has_axis(rows, dimension::inner)});
    }
    return all;
  }();

  struct backward_maker {
    program_view from = pair.backward;
    constexpr schedule make() const {
      if constexpr (!How.training) return schedule{};
      carried_pairs carried;
      for (int s = 0; s < states; ++s) carried.add({inputs + 1 + s, adjoints_before(1 + s)});
      const schedule plain = make_schedule(from, carried);
      const schedule s = How.of_table ? with_table(plain)
                         : How.neighbours > 0
                             ? with_window_products(plain, How.neighbours, requires_adjoint_of(0))
                             : plain;
      if (!How.accumulates) return s;
      list<bool, max_program_outputs> initialized;
      for (int i = 0; i < inputs; ++i)
        if (requires_adjoint_of(i)) initialized.add(((How.initialized >> i) & 1u) != 0);
      return with_accumulation(s, initialized, How.accumulates_in_products);
    }
  };
  struct backward_schedule {
    static constexpr schedule_view value =
        shortened<backward_maker, basic_schedule, kept_pair::longest>::value;
  };

  // Does the program add in place to the adjoint of this input, which others have initialized?
  static constexpr bool adds_in_place(int input) {
    return requires_adjoint_of(input) && adds_to_output(backward_schedule::value, adjoints_before(input));
  }

  // Are the adjoints of a state needed again after the loop? Otherwise the steps share memory.
  static constexpr bool keeps_next_adjoints(int state) {
    return reads_after_loop(backward_schedule::value, space::input, inputs + 1 + state);
  }
  static constexpr bool keeps_adjoints(int state) {
    return reads_after_loop(backward_schedule::value, space::output, adjoints_before(1 + state));
  }
};

constexpr lowering without_stages(lowering how) {
  how.stages = how.stages_of_steps = {};
  how.loops = {};
  how.once = false;
  return how;
}

template <auto Program, lowering How>
struct compiled : compiled_gradient<Program, without_stages(How)> {
  using gradient = compiled_gradient<Program, without_stages(How)>;
  static constexpr bool computes_once = How.once;

  struct forward_maker {
    program_view from = gradient::pair.forward;
    constexpr schedule make() const {
      carried_pairs carried;
      for (int s = 0; s < gradient::states && !How.one_step; ++s) carried.add({1 + s, 1 + s});
      const auto plain = [&] { return make_schedule(from, carried, 0, How.once); };
      schedule s = How.of_table ? with_stages(with_table(plain()), How.stages, How.stages_of_steps)
                   : How.neighbours > 0
                       ? with_stages(with_window_products(plain(), How.neighbours, false), How.stages,
                                     How.stages_of_steps)
                       : make_staged_schedule(from, carried, How.stages, How.stages_of_steps, How.once);
      return gradient::reduces && How.accumulates ? with_accumulation(s, {}) : s;
    }
  };
  struct forward_schedule {
    static constexpr schedule_view value =
        shortened<forward_maker, basic_schedule, gradient::kept_pair::longest>::value;
  };
  // Does the backend run the steps of the loop itself?
  static constexpr bool takes_loop = loop_fits(forward_schedule::value, How.loops);
  static constexpr bool takes_row_loop =
      How.training && row_loop_fits(gradient::backward_schedule::value, How.loops);
  static constexpr long loop_numbers = takes_loop ? How.loops.numbers : 0;
  // Has output o rows along this axis?
  static constexpr bool has_axis_of(int o, dimension axis) {
    const schedule_view& s = forward_schedule::value;
    return ir::has_axis(s.places[s.equations.outputs[o]].rows, axis);
  }
  // Does it run on one sequence after the other?
  static constexpr bool by_sequence =
      How.by_sequence && (forward_schedule::value.lanes > 0 || gradient::backward_schedule::value.lanes > 0);
  static constexpr program_counts counts = [] {
    const schedule_view &f = forward_schedule::value, &b = gradient::backward_schedule::value;
    constexpr gradient_pair_view pair = gradient::pair;
    const auto larger = [](int x, int y) { return x > y ? x : y; };
    return program_counts{
        larger(gradient::inputs + gradient::outputs + pair.saved.size, pair.backward.inputs.size),
        larger(pair.forward.outputs.size, pair.backward.outputs.size),
        larger(f.buffers.size, b.buffers.size),
        gradient::source.symbols.size,
        larger(f.kernels.size, b.kernels.size),
        by_sequence,
        How.shared};
  }();
};

// The memory that an operation needs.
struct operation_needs {
  list<buffer, max_buffers> forward{}, backward{};
  list<buffer, max_program_outputs> saved{};  // width, and the axes along which there are rows
  list<long, 2 * max_kernels + 1>
      packed{};      // elements of packed parameters, by kernel, forward, then backward; 0: none
  long scratch = 0;  // of the backward program
  list<bool, max_sources> keeps_next_adjoints{},
      keeps_adjoints{};                     // scan, backward, by state: at every step?
  list<bool, max_sources> adds_in_place{};  // by input: a contribution that needs no memory of its own
  bool by_sequence = false;                 // its buffers hold one sequence
  bool forward_in_blocks = false,
       backward_in_blocks = false;  // scan: may some steps go through all phases at a time?
  long loop_numbers = 0;      // scan: numbers in a block of forward buffers, if the backend runs the steps
  int windows_in_blocks = 0;  // apply: features of the widest map, if it runs in blocks of windows; else 0
};

template <class Program, class Backend>
constexpr operation_needs needs_of_program() {
  using forward = typename Program::forward_schedule;
  using backward = typename Program::backward_schedule;
  operation_needs needs{.forward = forward::value.buffers, .backward = backward::value.buffers};
  needs.by_sequence = Program::by_sequence;
  needs.forward_in_blocks = loops_in_blocks(forward::value);
  needs.loop_numbers = Program::loop_numbers;
  needs.backward_in_blocks = loops_in_blocks(backward::value);
  if (runs_in_blocks_of_windows(forward::value)) needs.windows_in_blocks = widest_map(forward::value);
  for (int s = 0; s < Program::states && Program::has_gradient; ++s) {
    needs.keeps_next_adjoints.add(Program::keeps_next_adjoints(s));
    needs.keeps_adjoints.add(Program::keeps_adjoints(s));
  }
  for (int i = 0; i < Program::inputs && Program::has_gradient; ++i)
    needs.adds_in_place.add(Program::adds_in_place(i));
  for (const buffer& b : Program::kept) needs.saved.add(b);
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (needs.packed.add(packed_parameters<forward, K, Backend>::size()), ...);
  }
  (std::make_integer_sequence<int, forward::value.kernels.size>{});
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (needs.packed.add(packed_parameters<backward, K, Backend>::size()), ...);
    ((needs.scratch = std::max(needs.scratch, scratch_of<backward, K, Backend>())), ...);
  }
  (std::make_integer_sequence<int, backward::value.kernels.size>{});
  return needs;
}

}  // namespace tenon::inline v0_1::engine
