// Where the states of a scan are, how they begin and end, and where their adjoints are.
#pragma once

#include "tenon/engine/run/operations/program.hpp"

namespace tenon::inline v0_1::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct scan_states {
  static constexpr int B = Signature.batch;
  // Both directions share one function; a stream runs forward only.
  static bool is_reversed(const places<T>& p) { return !Signature.streaming && p.o.reversed; }

  // What a run needs to know about the states, without the larger tables that this is computed from.
  struct state_traits {
    int size = 0;
    bool keeps_next_adjoints = false, keeps_adjoints = false;
  };
  static constexpr auto state = [] {
    list<state_traits, Program::states> all;
    for (int s = 0; s < Program::states; ++s)
      all.add({Program::source.inputs[1 + s], Signature.differentiated && Program::keeps_next_adjoints(s),
               Signature.differentiated && Program::keeps_adjoints(s)});
    return all;
  }();

  // --- states, forward -------------------------------------------------------------------------------------
  // The sequence of state s has one slot more than steps: a step at t reads one neighbour slot and writes the
  // other. Forward: slot t to slot t + 1.  Reversed: slot t + 1 to slot t.  A stream has two slots, used alternately by
  // runs, and if it takes blocks, the sequence behind them.
  static T* kept_slot(const places<T>& p, int s, bool second) {
    return p.at(region_kind::state, s) + (second ? in_whole_lines(B * std::ptrdiff_t(state[s].size)) : 0);
  }
  static T* first_slot(const places<T>& p, int s) {
    constexpr int kept = Signature.streaming && !Signature.one_step() ? 2 : 0;
    return p.at(region_kind::state, s) + kept * in_whole_lines(B * std::ptrdiff_t(state[s].size));
  }
  static operand<T> state_read(const places<T>& p, int s) {
    const std::ptrdiff_t state_size = state[s].size;
    if constexpr (Signature.one_step())
      return {kept_slot(p, s, p.c.stream.is_odd()), state_size, B * state_size};
    else return {first_slot(p, s) + (is_reversed(p) ? B * state_size : 0), state_size, B * state_size};
  }
  static operand<T> state_written(const places<T>& p, int s) {
    const std::ptrdiff_t state_size = state[s].size;
    if constexpr (Signature.one_step())
      return {kept_slot(p, s, !p.c.stream.is_odd()), state_size, B * state_size};
    else return {first_slot(p, s) + (is_reversed(p) ? 0 : B * state_size), state_size, B * state_size};
  }
  static void start_states(const places<T>& p) {
    if (Signature.one_step() && !p.c.stream.starts()) return;  // the last run wrote them
    backend::block_of_numbers<T> zeros[Program::states + 1]{};
    int count = 0;
    repeat<Program::states>([&](auto s) {
      constexpr int state_size = state[s].size;
      if constexpr (Signature.one_step()) {
        if (p.c.stream.is_set(p.o.number, s)) return;
      } else if constexpr (Signature.streaming) {
        if (p.c.stream.carries(p.o.number, s))
          return copy_rows<state_size>(Backend{}, B, kept_slot(p, s, p.c.stream.is_odd()), state_size,
                                       first_slot(p, s), state_size);
      }
      const operand<T> first = state_read(p, s);
      T* slot = first.data + (is_reversed(p) ? (p.steps() - 1) * first.step : 0);
      if constexpr (Signature.has(Signature.present, 1 + s)) {
        const operand<T> start = p.in(1 + s);
        copy_rows<state_size>(Backend{}, p.c.inputs.rows, start.data, start.row, slot, state_size);
        set_all(Backend{}, (B - p.c.inputs.rows) * state_size, T(0), slot + p.c.inputs.rows * state_size);
      } else {
        zeros[count++] = {slot, B * state_size};
      }
    });
    clear(count, zeros);
  }
  static void clear(int count, const backend::block_of_numbers<T>* blocks) {
    if constexpr (abilities_of<Backend, T>.clear_blocks) clear_blocks(Backend{}, count, blocks);
    else
      for (int n = 0; n < count; ++n) set_all(Backend{}, blocks[n].count, T(0), blocks[n].data);
  }
  // A stream goes on from the states after the last step of a block.
  static void keep_last_states([[maybe_unused]] const places<T>& p) {
    if constexpr (Signature.streaming && !Signature.one_step())
      repeat<Program::states>([&](auto s) {
        constexpr int state_size = state[s].size;
        copy_rows<state_size>(Backend{}, B, first_slot(p, s) + p.steps() * B * std::ptrdiff_t(state_size),
                              state_size, kept_slot(p, s, !p.c.stream.is_odd()), state_size);
      });
  }
  static void keep_ended_states(const places<T>& p, int t) {
    backend::passed_rows<T> passed[Program::states + 1]{};
    repeat<Program::states>([&](int s) {
      const operand<T> from = state_read(p, s), to = state_written(p, s);
      passed[s] = {from.data + t * from.step, to.data + t * to.step, state[s].size};
    });
    pass_states(p, false, t, passed);
  }
  // active: copies rows that have not ended before step t, zeros for the others. Otherwise copies those that have
  // ended.
  static void pass_states(const places<T>& p, bool active, int t, const backend::passed_rows<T>* states) {
    if constexpr (abilities_of<Backend, T>.pass_rows) {
      pass_rows(Backend{}, active, t, B, p.lengths(), Program::states, states);
    } else {
      repeat<Program::states>([&](auto s) {
        constexpr int state_size = state[s].size;
        copy_rows_where<state_size>(Backend{}, active, t, B, p.lengths(), states[s].from, state_size,
                                    states[s].to, state_size);
        if (active) clear_ended_rows<state_size>(Backend{}, t, B, p.lengths(), states[s].to, state_size);
      });
    }
  }
  static void deliver_states(const places<T>& p) {
    repeat<Program::states>([&](auto s) {
      constexpr int state_size = state[s].size;
      if constexpr (Signature.has(Signature.read_states, s)) {
        const operand<T> end = state_written(p, s), final_state = p.out(1 + s);
        const T* slot = end.data + (is_reversed(p) ? 0 : (p.steps() - 1) * end.step);
        copy_rows<state_size>(Backend{}, B, slot, state_size, final_state.data, final_state.row);
      }
    });
  }

  // --- adjoints of state s, of one step or of all of them --------------------------------------------------
  static operand<const T> next_adjoints(const places<T>& p, int s) {
    const std::ptrdiff_t state_size = state[s].size;
    return {p.at(region_kind::next_adjoint, s), state_size,
            state[s].keeps_next_adjoints ? B * state_size : 0};
  }
  static operand<T> adjoints(const places<T>& p, int s) {
    const std::ptrdiff_t state_size = state[s].size;
    return {p.at(region_kind::state_adjoint, s), state_size, state[s].keeps_adjoints ? B * state_size : 0};
  }

  // Inputs that are the same at every step follow the states.
  template <class F>
  static void each_constant(F f) {
    constexpr int first = 1 + Program::states;
    repeat<Signature.inputs - first>([&](auto c) { f(std::integral_constant<int, first + c>{}); });
  }
};

}  // namespace tenon::inline v0_1::engine
