// compiled: one program of a network, differentiated where the plan trains, and scheduled. Operations that
// run the same program share it.
#pragma once

#include "tenon/engine/run_program.hpp"
#include "tenon/equation/reverse.hpp"
#include "tenon/equation/stage.hpp"
#include "tenon/equation/table.hpp"
#include "tenon/graph/graph.hpp"

namespace tenon::engine {

// The network behind a graph and an objective (void: none), under a short name.
template <class G, class Objective>
struct laid_out {
  static constexpr const auto& net = network_of<G, Objective>;
};

// How the plan wants a program to be scheduled.
struct lowering {
  bool one_step = false;  // a scan is no loop
  bool of_table = false;  // the first input is rows of a table
  bool seeded = true;     // something depends on the first output
  stage_limits stages{};
};

// Wanted: bit i is set where the adjoint of the program's input i is asked for. States: carried values of a
// scan.
template <class Net, int Program, int States, unsigned Wanted, bool Training, lowering How>
struct compiled {
  static constexpr const program& source = Net::net.programs[Program];
  static constexpr int inputs = source.inputs.size, outputs = source.outputs.size, states = States;

  // Position of an input's adjoint among the backward outputs.
  static constexpr int wanted_before(int input) {
    int n = 0;
    for (int i = 0; i < input; ++i) n += (Wanted >> i) & 1u;
    return n;
  }

  static constexpr gradient_pair pair = [] {
    if constexpr (!Training) return gradient_pair{.forward = source};
    list<bool, max_program_inputs> wanted;
    for (int i = 0; i < inputs; ++i) wanted.add(((Wanted >> i) & 1u) != 0);
    list<int, max_program_outputs> unseeded;
    if (!How.seeded) unseeded.add(0);
    return split(reverse(source, wanted, unseeded));
  }();

  struct forward_schedule {
    static constexpr schedule value = [] {
      carried_pairs carried;
      for (int s = 0; s < States && !How.one_step; ++s) carried.add({1 + s, 1 + s});
      const schedule plain = make_schedule(pair.forward, carried);
      return with_stages(How.of_table ? with_table(plain) : plain, How.stages);
    }();
  };
  struct backward_schedule {
    static constexpr schedule value = [] {
      if constexpr (!Training) return schedule{};
      carried_pairs carried;
      for (int s = 0; s < States; ++s) carried.add({inputs + 1 + s, wanted_before(1 + s)});
      const schedule plain = make_schedule(pair.backward, carried);
      return How.of_table ? with_table(plain) : plain;
    }();
  };

  // Are the adjoints of a state needed again after the loop? Otherwise each step takes the place of another.
  static constexpr bool keeps_seeds(int state) {
    return reads_after_loop(backward_schedule::value, space::input, inputs + 1 + state);
  }
  static constexpr bool keeps_adjoints(int state) {
    return reads_after_loop(backward_schedule::value, space::output, wanted_before(1 + state));
  }

  static constexpr program_counts counts = [] {
    const schedule &f = forward_schedule::value, &b = backward_schedule::value;
    const auto larger = [](int x, int y) { return x > y ? x : y; };
    return program_counts{
        inputs + outputs + pair.saved.size, larger(pair.forward.outputs.size, pair.backward.outputs.size),
        larger(f.buffers.size, b.buffers.size), source.symbols.size, larger(f.kernels.size, b.kernels.size)};
  }();
};

}  // namespace tenon::engine
