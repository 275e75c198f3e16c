// update_pass: one pass of an update rule over pieces of a block, which computes each new weight from its gradient, its
// states and the rule's numbers.
#pragma once

#include "tenon/engine/run/run_program.hpp"
#include "tenon/train/optimizers/rule_numbers.hpp"
#include "tenon/train/optimizers/update_kernel.hpp"

#include <cstddef>

namespace tenon::inline v0_1::engine {

// What a rule changes, and what it reads for each weight.
template <class T>
struct updated_block {
  T* weights;          // [size]
  const T* gradients;  // [size]
  T* states;           // [states of the rule, kept], of the elements from `first` on
  std::ptrdiff_t first, kept;
};

// How many numbers a rule computes with.
template <class Rule>
inline constexpr int constants_of = update_kernel<Rule, traced_width>::constants;

// The numbers of step `step`, counted from 1: [constants_of<Rule>]. Throws input_error if one is not finite as a T, or if its
// epsilon is not above 0.
template <class Rule, class T>
void find_constants(const Rule& rule, long step, T* numbers) {
  const auto constants = rule.constants(step);
  for (std::size_t k = 0; k < std::size_t(constants_of<Rule>); ++k)
    numbers[k] = finite_number<Rule, T>(static_cast<double>(constants[k]));
  if constexpr (requires { Rule::epsilon_at; })
    check_epsilon<Rule, T>(static_cast<double>(constants[Rule::epsilon_at]));
}

namespace detail {
// Runs a schedule traced with traced_width: maps of that width run on a row of `width`, those of single numbers once.
template <class Schedule, class Backend, class T, program_counts C>
void run_as_rows(const program_memory<T, C>& m, int width) {
  repeat<Schedule::value.kernels.size>([&](auto k) {
    using body = kernel_body<Schedule, k>;
    if constexpr (body::body.width == traced_width) {
      backend::operand<const T> loads[body::body.loads.size + 1];
      backend::operand<T> stores[body::body.stores.size + 1];
      find_operands<Schedule, k>(m, 0, loads, stores);
      map_row<typename body::code>(Backend{}, width, loads, stores);
    } else {
      run_map<Schedule, k, Backend>(m, 0, 1);
    }
  });
}

// Runs a schedule of one map if the numbers of the run are finite; with null, always.
template <class Schedule, class Backend, class T, program_counts C>
void run_if_finite(const program_memory<T, C>& m, const backend::run_numbers* numbers) {
  static_assert(kernels_in<Schedule, ir::phase::before> == 1);
  constexpr int K = kernels_of<Schedule, ir::phase::before>[0];
  using body = kernel_body<Schedule, K>;
  backend::operand<const T> loads[body::body.loads.size + 1];
  backend::operand<T> stores[body::body.stores.size + 1];
  find_operands<Schedule, K>(m, 0, loads, stores);
  map_if_finite<typename body::code>(Backend{}, numbers, 1, m.batch, loads, stores);
}
}  // namespace detail

// Updates the pieces of the block for which `each` calls f(first element, how many). `constants` and the numbers of the
// run are in the backend's memory. If those numbers are not finite, nothing is changed; null: they are not checked.
template <class Rule, class Backend, class T, class Each>
void update_pieces(const updated_block<T>& block, const T* constants,
                   [[maybe_unused]] const backend::run_numbers* run, Each each) {
  // On the processor a piece is one long row. Elsewhere each element is a row.
  using first_map = typename detail::kernel_body<update_kernel<Rule, traced_width>, 0>::code;
  constexpr bool is_one_row = requires(const backend::operand<const T>* loads, backend::operand<T>* stores) {
    map_row<first_map>(Backend{}, 1, loads, stores);
  };
  using pass = update_kernel<Rule, is_one_row ? traced_width : 1>;
  constexpr program_counts counts{2 + Rule::states + pass::constants, 1 + Rule::states,
                                  pass::value.buffers.size, 0, 0};
  program_memory<T, counts> m;
  [[maybe_unused]] constexpr std::ptrdiff_t apart = is_one_row ? 0 : 1;  // rows
  for (int k = 0; k < pass::constants; ++k) m.in[2 + Rule::states + k] = {constants + k, 0, 0};
  T single_numbers[pass::value.buffers.size + 1];
  for (int k = 0; k < pass::value.buffers.size; ++k) m.buffers[k] = single_numbers + k;
  each([&](std::ptrdiff_t from, std::ptrdiff_t count) {
    if (count == 0) return;
    m.batch = m.rows = is_one_row ? 1 : static_cast<int>(count);
    m.in[0] = {block.weights + from, apart, 0};
    m.out[0] = {block.weights + from, apart, 0};
    m.in[1] = {block.gradients + from, apart, 0};
    for (int s = 0; s < Rule::states; ++s) {
      T* const state = block.states + s * block.kept + (from - block.first);
      m.in[2 + s] = {state, apart, 0};
      m.out[1 + s] = {state, apart, 0};
    }
    if constexpr (is_one_row) {
      detail::run_as_rows<pass, Backend>(m, static_cast<int>(count));
    } else if constexpr (backend::HasOwnMemory<Backend>) {
      detail::run_if_finite<pass, Backend>(m, run);
    } else {
      static_assert(pass::value.buffers.size == 0);  // all is one map
      run_phase<pass, ir::phase::before, Backend>(m, 0, 1);
    }
  });
}

}  // namespace tenon::inline v0_1::engine
