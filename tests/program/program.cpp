// Programs: the axes along which values vary, which instructions read a value, and the name of a value in an error.
#include "tenon/program/program.hpp"

#include <doctest/doctest.h>

namespace tenon::inline v0_1::ir {

namespace {

// Axes form a lattice: every value that varies at all varies with the batch.
static_assert((domain::rows | domain::inner) == domain::both &&
              (domain::batch | domain::rows) == domain::rows);
static_assert(has_all(domain::both, domain::inner) && !has_all(domain::rows, domain::inner));
static_assert(has_all(domain::rows, domain::batch) && has_all(domain::rows, domain::free));
static_assert(has_axis(domain::inner, dimension::inner) && !has_axis(domain::inner, dimension::time) &&
              !has_axis(domain::batch, dimension::time));
static_assert(without_axis(domain::both, dimension::time) == domain::inner &&
              without_axis(domain::both, dimension::inner) == domain::rows &&
              without_axis(domain::rows, dimension::time) == domain::batch &&
              without_axis(domain::batch, dimension::inner) == domain::batch);
static_assert(domain_of_own(own_input::position) == domain::rows &&
              domain_of_own(own_input::inner_position) == domain::inner &&
              domain_of_own(own_input::length) == domain::batch);

// x varies with each step, m with each step of an inner axis, v with the batch; and a vector of parameters.
program sources() {
  program p;
  p.varies = {domain::rows, domain::inner, domain::batch};
  p.inputs = {2, 2, 2};
  p.symbols.add({.letter = "b", .gate = "n", .rows = 2});
  for (int i = 0; i < 3; ++i) p.code.add({.code = opcode::input, .first = i, .size = 2});
  p.code.add({.code = opcode::vector, .first = 0, .size = 2});
  return p;
}
enum : short { x, m, v, b };

domain domain_with(const instruction& last) {
  program p = sources();
  p.code.add(last);
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  return domains[p.code.size - 1];
}

}  // namespace

TEST_CASE("a value varies along the axes of what it is made of") {
  CHECK(domain_with({.code = opcode::add, .a = x, .b = v}) == domain::rows);
  CHECK(domain_with({.code = opcode::add, .a = x, .b = m}) == domain::both);
  CHECK(domain_with({.code = opcode::add, .a = v, .b = v}) == domain::batch);
  CHECK(domain_with({.code = opcode::add, .a = v, .b = b}) == domain::batch);
  CHECK(domain_with({.code = opcode::vector}) == domain::free);
  CHECK(domain_with({.code = opcode::negate, .a = b}) == domain::batch);  // computed: once for the batch
  CHECK(domain_with({.code = opcode::constant}) == domain::free);
}

TEST_CASE("a sum over an axis has it no more, a spread has it again") {
  const auto over = [](opcode code, dimension axis, short of) {
    return domain_with({.code = code, .a = of, .first = static_cast<int>(axis)});
  };
  CHECK(over(opcode::axis_sum, dimension::time, x) == domain::batch);
  CHECK(over(opcode::axis_sum, dimension::inner, m) == domain::batch);
  const instruction spread{.code = opcode::copy, .a = v, .first = 1 + static_cast<int>(dimension::inner)};
  CHECK(is_spread(spread));
  CHECK(axis_of(spread) == dimension::inner);
  CHECK(domain_with(spread) == domain::inner);
  CHECK(domain_with({.code = opcode::turn, .a = x}) == domain::inner);
  CHECK(domain_with({.code = opcode::turn, .a = m}) == domain::rows);
}

TEST_CASE("without a list of axes all inputs have every row") {
  program p = sources();
  p.varies = {};
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  CHECK(domains[v] == domain::rows);
  CHECK(domains[b] == domain::free);
}

TEST_CASE("values are called as the equation wrote them") {
  program p = sources();
  p.code.add({.code = opcode::tanh, .a = x, .size = 2});
  CHECK(described(p, m) == "input 1");
  CHECK(described(p, b) == "b<\"n\">");
  CHECK(described(p, 4) == "tanh(...)");
  CHECK(p.input_value(2) == v);
  CHECK(p.input_value(3) == -1);
}

TEST_CASE("work is counted in multiplications and additions of products") {
  program p = sources();
  CHECK(multiply_adds(p) == 0);
  p.code.add({.code = opcode::matmul, .a = x, .size = 5});
  p.code.add({.code = opcode::matmul_transposed, .a = 4, .size = 2});
  CHECK(multiply_adds(p) == 5 * 2 + 2 * 5);
  int operands = 0;
  for_operands({.code = opcode::select, .a = x, .b = m, .c = v}, [&](int o) { operands += 1 << o; });
  CHECK(operands == 0b111);
}

}  // namespace tenon::inline v0_1::ir
