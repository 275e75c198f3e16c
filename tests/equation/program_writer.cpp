// The lines of a program as they are written: symbols by name, required sizes, axes, and errors for lists that are full.
#include "support/equation.hpp"
#include <tenon/equation/program_writer.hpp>

#include <doctest/doctest.h>

using namespace tenon::ir;
using namespace tenon::test;

namespace {

constexpr int two_symbols = [] {
  program_writer w;
  const int z = w.find_symbol({.letter = "W", .gate = "z"}), r = w.find_symbol({.letter = "W", .gate = "r"});
  return w.find_symbol({.letter = "W", .gate = "z"}) == z && r != z ? w.written.symbols.size : -1;
}();
static_assert(two_symbols == 2);

// The first mistake is the one that is reported.
constexpr problem first_of_two = [] {
  program_writer w;
  w.fail({.rule = "first"});
  w.fail({.rule = "second"});
  return w.wrong;
}();
static_assert(says(first_of_two, "first"));

// The first requirement determines an open size.
constexpr problem required(int first, int second) {
  program_writer w;
  const int k = w.add({.code = opcode::input, .first = 0});
  w.require_size(k, first, "a value is");
  w.require_size(k, second, "a value is");
  return w.wrong;
}
static_assert(!required(3, 3));
static_assert(says(required(3, 4), "a value is 4 features, got 3; a result has the size it is used with"));

// A value has the axes of all its operands.
constexpr bool axes_add_up = [] {
  program_writer w;
  w.written.varies = {domain::rows, domain::inner};
  const int t = w.add({.code = opcode::input, .first = 0, .size = 2});
  const int s = w.add({.code = opcode::input, .first = 1, .size = 2});
  const int both = w.add(program_writer::line(opcode::add, t, s));
  return w.domain_at(both) == domain::both && w.has_axis(t, dimension::time) &&
         !w.has_axis(t, dimension::inner);
}();
static_assert(axes_add_up);

constexpr bool is_number_as_it_says = [] {
  program_writer w;
  instruction two{.code = opcode::constant, .size = 1};
  two.number = 2;
  const int k = w.add(two), wide = w.add({.code = opcode::copy, .a = short(k), .size = 5});
  const int x = w.add({.code = opcode::input, .size = 5});
  return w.is_number(wide, 2) && !w.is_number(wide, 3) && !w.is_number(x);
}();
static_assert(is_number_as_it_says);

}  // namespace

TEST_CASE("a full program says so, and takes nothing more") {
  program_writer w;
  for (int k = 0; k < max_instructions; ++k) w.add({.code = opcode::input, .size = 1});
  CHECK(!w.wrong);
  CHECK(w.add({.code = opcode::input, .size = 1}) == 0);
  CHECK(w.written.code.size == max_instructions);
  CHECK(says(w.wrong,
             "the equation has more than 512 instructions; make two nodes of it: a graph has room for more"));
}
