// Which product of rows of a table can be computed for the whole table: the only one that reads the rows, at every step.
#include "support/equation.hpp"
#include "support/letters.hpp"
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/lowering/table.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr opcode code_of(const program& p, int value) {
  return value < 0 ? opcode::count : p.code[value].code;
}

// W x + U h: each of them is the only product of its input.
constexpr program step =
    program_of({5, 4}, [](auto x, auto h) { return tanh(W<"", 4>(x) + U<"", 4>(h) + b<>); });
static_assert(code_of(step, sole_product(step, 0)) == opcode::matmul &&
              step.code[sole_product(step, 0)].a == step.input_value(0));
static_assert(step.code[sole_product(step, 1)].a == step.input_value(1) &&
              sole_product(step, 0) != sole_product(step, 1));
static_assert(sole_product(step, 2) == -1);  // there is no such input

// Read besides the product, by two products, by a product of a value computed from it, and returned unchanged.
static_assert(sole_product(program_of({4, 4}, [](auto x, auto h) { return W<"", 4>(x) + x * h; }), 0) == -1);
static_assert(sole_product(program_of({4, 4}, [](auto x, auto h) { return W<"", 4>(x) * h + U<"", 4>(x); }),
                           0) == -1);
static_assert(sole_product(program_of({4, 4}, [](auto x, auto h) { return W<"", 4>(tanh(x)) + h; }), 0) ==
              -1);
constexpr program given_out = [] {
  program p = step;
  p.outputs.add(p.input_value(0));
  return p;
}();
static_assert(sole_product(given_out, 0) == -1 && sole_product(given_out, 1) >= 0);

// One row for the whole sequence is not a look-up at each step.
constexpr program once = [] {
  program p = step;
  p.varies = {domain::batch, domain::rows};
  return p;
}();
static_assert(sole_product(once, 0) == -1 && sole_product(once, 1) >= 0);

// In the schedule, exactly the kernels that compute with rows of the first input run on the table.
constexpr schedule forward = make_schedule(step, {});
constexpr int of_table(const schedule& s) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.of_table;
  return n;
}
static_assert(of_table(forward) == 0);
constexpr bool marks_the_product = [] {
  const schedule s = with_table(forward);
  const int product = sole_product(step, 0);
  for (int k = 0; k < s.kernels.size; ++k) {
    const bool reads_table = s.kernels[k].kind == kernel_kind::matmul &&
                             s.equations.code[s.kernels[k].value].a == s.equations.input_value(0);
    if (s.kernels[k].of_table != reads_table) return false;
  }
  return product >= 0 && of_table(s) == 1;
}();
static_assert(marks_the_product);

}  // namespace

TEST_CASE("a program without inputs has no product of a table") { CHECK(sole_product(program{}, 0) == -1); }
