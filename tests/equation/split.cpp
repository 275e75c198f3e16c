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

// Values that no derivative reads are not saved: the derivative of a sum is a number.
constexpr gradient_pair linear = pair_of([](auto x, auto y) { return 2 * x - y; });
static_assert(linear.saved.empty() && linear.backward.outputs.size == 2);

// Inputs of the backward program: those of the forward one, an adjoint for its output, what is saved.
static_assert(gate.backward.inputs.size == 2 + 1 + 1 && linear.backward.inputs.size == 2 + 1);

}  // namespace

TEST_CASE("programs are cut at compile time") { CHECK(gate.backward.outputs.size == 2); }
