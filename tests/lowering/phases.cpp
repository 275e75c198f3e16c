// Phases: which products of a time loop are computed before it, and which step by step. schedule.cpp checks the
// results.
#include <tenon/equation/rewrite.hpp>
#include <tenon/equation/trace.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/phases.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;

namespace {

/// Products before the loop, and in it.
struct products {
  int before = 0, loop = 0;
  constexpr bool operator==(const products&) const = default;
};
constexpr products products_of(const program& p, int states, long loop_weights) {
  carried_pairs carried;
  for (int n = 0; n < states; ++n) carried.add({1 + n, 1 + n});
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  const ir::detail::phases when = ir::detail::phases_of(p, domains, carried, loop_weights);
  products n;
  for (int k = 0; k < p.code.size; ++k)
    if (p.code[k].code == opcode::matmul) {
      n.before += when[k] == phase::before;
      n.loop += when[k] == phase::loop;
    }
  return n;
}
template <class C>
constexpr products of_cell(long loop_weights) {
  return products_of(group_products(trace_step<C>(5, 3).equations), state_count<C>, loop_weights);
}

// An LSTM of 3 units with 5 inputs has 4 x 3 x (5 + 3) weights.
static_assert(of_cell<nn::cells::lstm>(0) == products{1, 1},
              "W x of all steps is one product before the loop");
static_assert(of_cell<nn::cells::lstm>(95) == products{1, 1});
static_assert(of_cell<nn::cells::lstm>(96) == products{0, 2},
              "a loop of few weights computes it step by step");
static_assert(of_cell<nn::cells::gru>(71) == products{1, 1} && of_cell<nn::cells::gru>(72) == products{0, 2});

// Operands of a kernel that runs before the loop stay there with it.
struct stacked : equations::symbols {
  static constexpr auto step(auto x, auto h) { return tanh(W<"out", 3>(W<"in", 4>(x)) + U<"out", 3>(h)); }
};
static_assert(of_cell<stacked>(0) == products{2, 1});
static_assert(of_cell<stacked>(1000) == products{0, 3}, "all of it, or none");
static_assert(of_cell<stacked>(10) == products{2, 1});

// Kernels that only run after the loop do not count.
struct emitting_much : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto after = tanh(W<>(x) + U<>(h));
    return next(after).emitting(matrix<"V", 50>(after));
  }
};
static_assert(of_cell<emitting_much>(24) == products{0, 2} && of_cell<emitting_much>(23) == products{1, 1});

// Elementwise work that only the output needs stays in the loop, beside its operands; if it reads a product, it comes after the loop.
struct emitting_twice : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto state = tanh(W<>(x) + U<>(h));
    return next(state).emitting(concat(sigmoid(state), relu(matrix<"V", 2>(state))));
  }
};
constexpr phase phase_of(opcode code) {
  const program p = group_products(trace_step<emitting_twice>(5, 3).equations);
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  const ir::detail::phases when = ir::detail::phases_of(p, domains, {carried_pair{1, 1}}, 0);
  for (int k = 0; k < p.code.size; ++k)
    if (p.code[k].code == code) return when[k];
  return phase::none;
}
static_assert(phase_of(opcode::tanh) == phase::loop && phase_of(opcode::sigmoid) == phase::loop);
static_assert(phase_of(opcode::relu) == phase::after);

// A loop in lanes does not run what has one value for each step: all that reads a weighted sum comes after it, elementwise work, too.
struct attended {
  static constexpr auto at(auto q, auto m) { return tanh(sum<"source">(softmax<"source">(dot(q, m)) * m)); }
};
constexpr phase phase_in_lanes(opcode code) {
  constexpr input_axes axes{{domain::rows, domain::inner}, "target", "source"};
  const program p = with_lanes(trace_at<attended>(sizes{6, 6}, axes).equations, 16);
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  const ir::detail::phases when = ir::detail::phases_of(p, domains, {}, 0);
  for (int k = 0; k < p.code.size; ++k)
    if (p.code[k].code == code) return when[k];
  return phase::none;
}
static_assert(phase_in_lanes(opcode::pair_dot) == phase::loop &&
              phase_in_lanes(opcode::pair_sum) == phase::loop);
static_assert(phase_in_lanes(opcode::tanh) == phase::after);

// A product of a value that is the same at all steps is computed once.
constexpr program of_context = [] {
  program p = group_products(trace_step<nn::cells::lstm>(5, 3).equations);
  p.varies = {domain::batch, domain::rows, domain::rows};
  return p;
}();
static_assert(products_of(of_context, 2, 1000) == products{1, 1});

// Elementwise work on such a value is done before the loop, and if each step is a run of its own, once. Not if it is written
// beside what each step computes, or to an output: each step has memory of its own for these.
struct of_a_row : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) { return tanh(x + U<>(h) + exp(c)); }
};
struct row_beside_steps {
  static constexpr auto at(auto x, auto c) { return tanh(concat(exp(c), sigmoid(x))); }
};
struct row_in_output {
  static constexpr auto at(auto x, auto c) { return with<"row">(x, concat(exp(c), sigmoid(c))); }
};
constexpr phase phase_of(const program& p, opcode code, const carried_pairs& carried, bool once) {
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  ir::detail::phases when = ir::detail::phases_of(p, domains, carried, 0);
  if (once) ir::detail::move_before_steps(when, p, domains);
  for (int k = 0; k < p.code.size; ++k)
    if (p.code[k].code == code) return when[k];
  return phase::none;
}
constexpr program with_row = trace_step<of_a_row>(3, 3, {sizes{3}, {.varies = {domain::batch}}}).equations;
static_assert(phase_of(with_row, opcode::tanh, {carried_pair{1, 1}}, false) == phase::loop &&
              phase_of(with_row, opcode::exp, {carried_pair{1, 1}}, false) == phase::before &&
              phase_of(with_row, opcode::exp, {carried_pair{1, 1}}, true) == phase::once);
constexpr input_axes steps_and_row{.varies = {domain::rows, domain::batch}, .time = "time"};
template <class Equation>
constexpr program beside = trace_at<Equation>(sizes{3, 3}, steps_and_row).equations;
static_assert(phase_of(beside<row_beside_steps>, opcode::exp, {}, true) == phase::before);
static_assert(phase_of(beside<row_in_output>, opcode::exp, {}, true) == phase::before &&
              phase_of(beside<row_in_output>, opcode::sigmoid, {}, true) == phase::before);

// If a value without time reads what is computed from parameters only, that is computed once, too; if only the steps read it, it is not.
// y = (x + sum over the inner axis of exp(b)) * tanh(b)
constexpr program of_parameters = [] {
  constexpr int inner = static_cast<int>(dimension::inner);
  program p;
  p.inputs.add(3);
  p.symbols.add({.letter = "b", .rows = 3});
  p.code.add({.code = opcode::input, .size = 3});
  p.code.add({.code = opcode::vector, .size = 3});
  p.code.add({.code = opcode::exp, .a = 1, .size = 3});
  p.code.add({.code = opcode::copy, .a = 2, .first = 1 + inner, .size = 3});
  p.code.add({.code = opcode::axis_sum, .a = 3, .first = inner, .size = 3});
  p.code.add({.code = opcode::tanh, .a = 1, .size = 3});
  p.code.add({.code = opcode::add, .a = 0, .b = 4, .size = 3});
  p.code.add({.code = opcode::multiply, .a = 6, .b = 5, .size = 3});
  p.outputs.add(7);
  return p;
}();
static_assert(phase_of(of_parameters, opcode::axis_sum, {}, true) == phase::once &&
              phase_of(of_parameters, opcode::copy, {}, true) == phase::once &&
              phase_of(of_parameters, opcode::exp, {}, true) == phase::once);
static_assert(phase_of(of_parameters, opcode::tanh, {}, true) == phase::before &&
              phase_of(of_parameters, opcode::add, {}, true) == phase::before);
// The domains are those of its values, and there are no more.
constexpr bool reads_within_domains = [] {
  domain domains[of_parameters.code.size]{};
  for (int k = 0; k < of_parameters.code.size; ++k)
    domains[k] = domain_of(of_parameters.varies, of_parameters.code[k], domains);
  return ir::detail::phases_of(of_parameters, domains, {}, 0)[7] == phase::before;
}();
static_assert(reads_within_domains);

// A sum over all steps is known after the loop. A step must not read it; what comes after the loop may, whatever steps compute meanwhile.
template <bool Seen>
struct summed_over_steps {
  static constexpr auto at(auto q, auto m) {
    const auto total = sum<"target">(sum<"source">(softmax<"source">(dot(q, m)) * m));
    if constexpr (Seen) return sum<"source">(softmax<"source">(dot(total * q, m)) * m);
    const auto found = sum<"source">(softmax<"source">(dot(2 * q, m)) * m);
    return found + total;
  }
};
template <bool Seen>
constexpr program over_steps =
    trace_at<summed_over_steps<Seen>>(sizes{6, 6}, {{domain::rows, domain::inner}, "target", "source"})
        .equations;
constexpr int waiting = ir::detail::waits_for_itself(over_steps<true>, {});
static_assert(waiting >= 0 && over_steps<true>.code[waiting].code == opcode::axis_sum &&
              axis_of(over_steps<true>.code[waiting]) == dimension::time);
static_assert(ir::detail::waits_for_itself(over_steps<false>, {}) == -1);

}  // namespace

TEST_CASE("a program without a loop has one phase") {
  const program p = group_products(trace_step<nn::cells::lstm>(5, 3).equations);
  const domain domains[max_instructions]{};
  const ir::detail::phases when = ir::detail::phases_of(p, domains, {}, 1000);
  for (int k = 0; k < p.code.size; ++k) CHECK(when[k] == phase::before);
}
