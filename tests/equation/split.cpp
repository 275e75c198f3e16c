// Splitting a differentiated program: what is saved, what is computed again, and that nothing else is read.
#include "support/equation.hpp"
#include <tenon/equation/split.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::test;

namespace {

template <class F>
constexpr gradient_pair pair_of(F f) {
  return split(reverse(program_of({3, 3}, f), {true, true}));
}
constexpr int count_of(const program& p, opcode code) {
  int n = 0;
  for (const instruction& i : p.code) n += i.code == code;
  return n;
}

// The derivative of a sigmoid follows from its value, which is the output: nothing else is saved.
constexpr gradient_pair gate = pair_of([](auto x, auto y) { return sigmoid(x + y); });
static_assert(gate.forward.outputs.size == 1 && gate.saved.size == 1 && gate.saved[0] == 0);
static_assert(count_of(gate.backward, opcode::sigmoid) == 0);

// An inner exponential costs more than a load: it is one more output of the forward program.
constexpr gradient_pair inside = pair_of([](auto x, auto y) { return exp(x) * y; });
static_assert(inside.forward.outputs.size == 2 && inside.saved.size == 1 && inside.saved[0] == 1);
static_assert(inside.forward.code[inside.forward.outputs[1]].code == opcode::exp);
static_assert(count_of(inside.backward, opcode::exp) == 0);

// Two additions cost less: they are computed again from the inputs.
constexpr gradient_pair cheap = pair_of([](auto x, auto y) { return (x - y + 1) * x; });
static_assert(cheap.forward.outputs.size == 1 && cheap.saved.empty());
static_assert(count_of(cheap.backward, opcode::subtract) == 1);
static_assert(ir::detail::recompute_limit == 2);

// An output that is the operand of what is computed again is read where it is, and not computed again, too.
constexpr gradient_pair from_output = pair_of([](auto x, auto y) {
  const auto first = tanh(sin(x));
  return list<value, 8>{first, (first + 1) * y};
});
static_assert(from_output.saved.size == 1 && from_output.saved[0] == 0 &&
              from_output.forward.outputs.size == 2);
static_assert(count_of(from_output.backward, opcode::sin) == 0 &&
              count_of(from_output.backward, opcode::tanh) == 0);

// An adjoint that is a number is not saved, although the equation has the same number.
static_assert(pair_of([](auto x, auto y) { return concat(0 * x, y); }).saved.empty());

// As many results as there may be: 48 and 48 adjoints.
constexpr program of_many = [] {
  program p;
  for (int i = 0; i < max_program_outputs / 2; ++i) {
    p.inputs.add(3);
    p.code.add({.code = opcode::input, .first = i, .size = 3});
  }
  for (int i = 0; i < p.inputs.size; ++i)
    p.outputs.add(p.code.add({.code = opcode::negate, .a = short(i), .size = 3}));
  return p;
}();
constexpr gradient_pair many = [] {
  list<bool, max_program_inputs> all;
  for (int i = 0; i < of_many.inputs.size; ++i) all.add(true);
  return split(reverse(of_many, all));
}();
static_assert(many.backward.outputs.size == 48 && many.saved.empty() &&
              count_of(many.backward, opcode::negate) == 48);

// Values that no derivative reads are not saved: the derivative of a sum is a number.
constexpr gradient_pair linear = pair_of([](auto x, auto y) { return 2 * x - y; });
static_assert(linear.saved.empty() && linear.backward.outputs.size == 2);

// Inputs of the backward program: those of the forward one, an adjoint for its output, what is saved.
static_assert(gate.backward.inputs.size == 2 + 1 + 1 && linear.backward.inputs.size == 2 + 1);

}  // namespace

TEST_CASE("programs are cut at compile time") { CHECK(gate.backward.outputs.size == 2); }
