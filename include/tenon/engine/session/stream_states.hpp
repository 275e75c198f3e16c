// stream_states: what a stream keeps from step to step: its states, their names, and earlier steps of other values; and
// the functions that move their rows.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/engine/inputs/plan_names.hpp"
#include "tenon/engine/plan/memory_plan.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>

namespace tenon::inline v0_1::engine {

// State `number` of layer `layer` of a recurrent node: [batch, size] in two places. Each step reads one place and
// writes the other; then they change roles.
struct carried_state {
  name path{};  // of the node
  int number = 0, layer = 0;
  int operation = 0, state = 0;  // the operation's number in the plan, the state's in the operation
  int size = 0;
  long places[2]{};  // elements from the start of the memory

  constexpr bool is_named(characters wanted) const {
    if (!wanted.starts_with(path.view())) return false;
    const characters behind = wanted.substr(path.view().size());
    if (behind.empty()) return number == 0;
    const label own = name_of_state(number);
    return behind.substr(0, 1) == characters(".") && behind.substr(1) == own.view();
  }
  constexpr name full_name() const {
    return name(path.view()).append(".").append(name_of_state(number).view());
  }
};

// All states that a plan carries, in the order of its operations.
template <class Plan>
inline constexpr auto carried_states = [] {
  constexpr int count = [] {
    int n = 0;
    for (int o = 0; o < Plan::net.operations.size; ++o) n += Plan::states(o);
    return n;
  }();
  list<carried_state, count + 1> all;
  for (int o = 0; o < Plan::net.operations.size; ++o) {
    if (!Plan::active.alive[o] || !Plan::is_stepped(o)) continue;
    const operation& op = Plan::net.operations[o];
    for (int s = 0; s < Plan::states(o); ++s) {
      carried_state mine{.path = op.path, .number = s, .operation = o, .state = s};
      for (const carried_state& other : all) mine.layer += other.path == op.path && other.number == s;
      mine.size = Plan::net.edges[op.out[1 + s]].size;
      mine.places[0] = memory_of<Plan>.find(o, region_kind::state, s)->offset;
      mine.places[1] = mine.places[0] + in_whole_lines(long(Plan::batch) * mine.size);
      all.add(mine);
    }
  }
  return all;
}();

// The first axis that a stream steps along.
template <class Plan>
inline constexpr int stepped_axis = [] {
  int a = 0;
  while (a + 1 < Plan::net.axes.size && !Plan::is_stepped_axis(a)) ++a;
  return a;
}();

// Finds a state by name: "node" is the first state, or "node.h_n", "node.c_n", "node.state_2_n".
struct found_state {
  int first = -1;  // its index in carried_states; -1: there is none of this name
  int layers = 0;
  long apart = 0;  // elements from one layer to the next
};
template <class Plan, text Name>
inline constexpr found_state state_of = [] {
  constexpr const auto& all = carried_states<Plan>;
  found_state f;
  for (int k = 0; k < all.size; ++k) {
    if (!all[k].is_named(Name.view())) continue;
    if (f.layers++ == 0) f.first = k;
    else if (f.layers == 2) f.apart = all[k].places[0] - all[f.first].places[0];
    else if (all[k].places[0] - all[f.first].places[0] != f.apart * (f.layers - 1))
      throw "the layers of a state stand at uneven distances";
  }
  return f;
}();

struct state_access;  // gives the free functions of states_by_name.hpp access

// The features of a state, and its two places. The functions that use it are compiled once for all graphs.
struct state_rows {
  int size = 0;
  long places[2]{};
};
template <class Plan>
inline constexpr auto rows_of_states = [] {
  list<state_rows, carried_states<Plan>.size + 1> all;
  for (const carried_state& c : carried_states<Plan>) all.add({c.size, {c.places[0], c.places[1]}});
  return all;
}();

// The last steps of a value, [steps, batch, size], in a ring buffer, and room for one more step.
struct kept_history {
  int size = 0, steps = 0;
  long place = 0;

  // The elements in use if the row that is furthest has taken `taken` steps.
  long elements(int taken, int batch) const { return long(taken < steps ? taken : steps) * batch * size; }
};
template <class Plan>
inline constexpr auto histories_of = [] {
  constexpr const auto& memory = memory_of<Plan>;
  constexpr auto find = [](auto found) {
    [&]<int... O>(std::integer_sequence<int, O...>) {
      const auto look = [&]<int Operation>() {
        if constexpr (Plan::active.alive[Operation] && Plan::kept_steps(Operation) > 0) {
          constexpr const auto& buffers =
              Plan::template program_of<Operation>::forward_schedule::value.buffers;
          for (int b = 0; b < buffers.size; ++b)
            if (buffers[b].kept_steps > 0)
              found(kept_history{buffers[b].width, buffers[b].kept_steps,
                                 memory.find(Operation, region_kind::forward_buffer, b)->offset});
        } else if constexpr (Plan::active.alive[Operation] && Plan::kept_windows(Operation) > 0) {
          found(kept_history{Plan::net.edges[Plan::net.operations[Operation].in[0]].size,
                             Plan::kept_windows(Operation),
                             memory.find(Operation, region_kind::history)->offset});
        }
      };
      (look.template operator()<O>(), ...);
    }
    (std::make_integer_sequence<int, Plan::net.operations.size>{});
  };
  constexpr int count = [&] {
    int n = 0;
    if constexpr (Plan::has_counted_steps) find([&](const kept_history&) { ++n; });
    return n;
  }();
  list<kept_history, count + 1> all;
  if constexpr (Plan::has_counted_steps) find([&](const kept_history& h) { all.add(h); });
  return all;
}();

// Does a stream of this plan carry states?
template <class Plan>
inline constexpr bool carries_states = [] {
  for (int o = 0; o < Plan::net.operations.size; ++o)
    if (Plan::active.alive[o] && Plan::is_stepped(o) && Plan::states(o) > 0) return true;
  return false;
}();
// What a stream keeps, for code that runs. Defined outside the class, so that one file of a program compiles it for all
// others, as it does an executor: they do not plan the stream's memory.
template <class Plan>
struct kept_in_stream {
  static list_view<state_rows> states();
  static list_view<kept_history> histories();
};
template <class Plan>
list_view<state_rows> kept_in_stream<Plan>::states() {
  return constant_list<rows_of_states<Plan>>;
}
template <class Plan>
list_view<kept_history> kept_in_stream<Plan>::histories() {
  return constant_list<histories_of<Plan>>;
}

[[noreturn]] void refuse_step_past_bound(int row, int taken, int steps, characters axis);
[[noreturn]] void refuse_run_of_nothing();
[[noreturn]] void refuse_other_steps(characters first, int expected, characters input, int got, int row);
// `carries`: is there a state that the next step reads, other than an initial one?
void check_permutation(std::size_t rows, int batch, bool carries);
[[noreturn]] void refuse_more_rows(const char* call, int expected, int got);
// Row r of each step becomes the previous row rows[r]. `taken`: the most steps that a row has taken.
template <class T>
void permute_histories(T* memory, const kept_history* histories, int count, int batch, int taken,
                       const int* rows, int n) {
  bool moves = false;
  for (int r = 0; r < n; ++r) moves = moves || rows[r] != r;
  for (int k = 0; k < count && moves; ++k) {
    const kept_history& h = histories[k];
    const std::ptrdiff_t size = h.size, of_step = size * batch;
    T* const before = memory + h.place + h.steps * of_step;
    for (int s = 0; s < h.steps && s < taken; ++s) {
      T* const step = memory + h.place + s * of_step;
      std::copy_n(step, of_step, before);
      for (int r = 0; r < n; ++r)
        if (rows[r] != r) std::copy_n(before + rows[r] * size, size, step + r * size);
    }
  }
}
// Copies the first `rows` rows of another stream's histories; its batch size and its blocks, so the length of its rings,
// may differ. taken(r): the steps that row r has taken.
template <class T, class From, class Taken>
void copy_histories(const From* from, const kept_history* theirs, int their_batch, int rows, Taken taken,
                    T* to, const kept_history* mine, int my_batch, int count) {
  for (int k = 0; k < count; ++k) {
    const std::ptrdiff_t size = mine[k].size;
    const int steps = std::min(theirs[k].steps, mine[k].steps);
    for (int r = 0; r < rows; ++r)
      for (int s = std::max(0, taken(r) - steps); s < taken(r); ++s) {
        const From* const x =
            from + theirs[k].place + (std::ptrdiff_t(s % theirs[k].steps) * their_batch + r) * size;
        T* const y = to + mine[k].place + (std::ptrdiff_t(s % mine[k].steps) * my_batch + r) * size;
        for (std::ptrdiff_t i = 0; i < size; ++i) y[i] = static_cast<T>(x[i]);
      }
  }
}

// Copies from the places that the next step would read to the other ones: row r becomes the previous row rows[r].
template <class T>
void permute_states(T* memory, const state_rows* states, int count, int batch, bool read, const int* rows,
                    int n) {
  for (int k = 0; k < count; ++k) {
    const state_rows& s = states[k];
    const T* const from = memory + s.places[read];
    T* const to = memory + s.places[!read];
    for (int r = 0; r < batch; ++r) {
      const std::ptrdiff_t size = s.size;
      std::copy_n(from + (r < n ? rows[r] : r) * size, size, to + r * size);
    }
  }
}
// Copies the first `rows` rows of all states of another stream; its batch size may differ.
template <class T, class From>
void copy_states(const From* from, const state_rows* theirs, bool their_place, int rows, T* to,
                 const state_rows* mine, bool my_place, int count, int batch) {
  for (int k = 0; k < count; ++k) {
    const long size = mine[k].size;
    const From* const x = from + theirs[k].places[their_place];
    T* const y = to + mine[k].places[my_place];
    for (long i = 0; i < batch * size; ++i) y[i] = i < rows * size ? static_cast<T>(x[i]) : T(0);
  }
}

}  // namespace tenon::inline v0_1::engine

#ifndef TENON_COMPILED
#  include "tenon/engine/session/stream_states.ipp"
#endif
