// Terms: symbols and formulas of them have no tape. What a formula is, that it is recorded once with the first value, from left to right,
// that a value of a derived type is a value, and what is refused.
#include "tenon/equation/terms.hpp"

#include "support/equation.hpp"
#include "support/interpret.hpp"
#include "support/letters.hpp"
#include "tenon/equation/arithmetic.hpp"
#include "tenon/equation/language.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using namespace tenon::ir;
using tenon::test::b;
using tenon::test::count;
using tenon::test::program_of;
using tenon::test::read;
using tenon::test::row;
using tenon::test::says;

namespace {

struct named_value : value {
  constexpr explicit named_value(value x) : value(x) {}
};
struct other {};

// --- what may be an operand --------------------------------------------------------------------------------
static_assert(Term<decltype(b<"i">)> && Term<const decltype(b<"i">)&> &&
              Term<formula<opcode::tanh, decltype(b<"i">)>>);
static_assert(!Term<value> && !Term<named_value> && !Term<double> && !Term<other>);
static_assert(Traced<value> && Traced<named_value> && !Traced<decltype(b<"i">)> && !Traced<double> &&
              !Traced<other>);
static_assert(Number<int> && Number<const float&> && !Number<value> && !Number<decltype(b<"i">)> &&
              !Number<int*>);
static_assert(Operand<value> && Operand<const value&> && Operand<named_value> && Operand<double> &&
              Operand<decltype(b<"i">)>);
static_assert(!Operand<other> && !Operand<int*> && !Operand<const char*>);
static_assert(Operands<value, int> && Operands<int, value> && Operands<named_value, value> &&
              Operands<decltype(b<"i">), double>);
static_assert(!Operands<int, double> && !Operands<value, other>);
static_assert(Symbolic<value> && Symbolic<named_value> && Symbolic<decltype(b<"i">)> && !Symbolic<double>);

// --- a formula waits for a value, with its operands in its type ------------------------------------------------
using symbol = std::remove_const_t<decltype(b<"i">)>;
static_assert(std::is_same_v<decltype(tanh(b<"i">)), formula<opcode::tanh, symbol>>);
static_assert(std::is_same_v<decltype(1 - b<"i">), formula<opcode::subtract, int, symbol>>);
static_assert(std::is_same_v<decltype(b<"i"> * value{}), value> &&
              std::is_same_v<decltype(named_value(value{}) + 1), value>);
static_assert(std::is_same_v<decltype(tanh(named_value(value{}))), value>);

constexpr auto twice = [](auto x) { return x * tanh(b<"i">) + tanh(b<"i">); };
static_assert(count(program_of({3}, twice), opcode::tanh) == 1 &&
              count(program_of({3}, twice), opcode::vector) == 1);
static_assert(program_of({3}, [](auto x) { return x + (b<"i"> - 2); }) == program_of({3}, [](auto x) {
                const value i{x.on, detail::write(*x.on, b<"i">)};
                return x + (i - 2);
              }));
// A value of a derived type records the same code as the value.
static_assert(program_of({3}, [](auto x) {
                return select(named_value(x), named_value(x) * 2, concat(named_value(x)));
              }) == program_of({3}, [](auto x) { return select(x, x * 2, concat(x)); }));
/// The first result of f at x, with these symbols in the order in which they occur.
template <class F>
row evaluated(F f, const row& x, const std::vector<row>& symbols) {
  const program p = program_of({static_cast<int>(x.size())}, f);
  return tenon::test::interpret(p, {{x}}, symbols).output(p, 0)[0];
}

}  // namespace

TEST_CASE("a formula is its arithmetic, and its symbols are numbered from left to right") {
  const row x{1, -2, 4}, i{3, 5, 7}, j{2, 4, 8};
  const auto f = [](auto v) { return v + (b<"i"> - b<"j"> / 2) * (1 - b<"i">); };
  row expected;
  for (std::size_t k = 0; k < 3; ++k) expected.push_back(x[k] + (i[k] - j[k] / 2) * (1 - i[k]));
  CHECK(evaluated(f, x, {i, j}) == expected);
  CHECK(evaluated([](auto v) { return (b<"j"> - b<"i">)*1 + 0 * v; }, x, {j, i}) == row{-1, -1, 1});
  CHECK(evaluated([](auto v) { return -square(b<"i">) + v; }, x, {i}) == row{-8, -27, -45});
}

TEST_CASE("a symbol is refused in words") {
  static_assert(says(read({3}, [](auto x) { return b<"i">(x); }).wrong,
                     "'b<\"i\">' is a vector, and takes no value; leave out its argument, or multiply by a "
                     "matrix: W<\"gate\">(x)"));
  static_assert(
      says(read({3}, [](auto x) { return x + b<"a_name_of_more_letters_than_there_is_room_for">; }).wrong,
           "the name of a symbol has more than 23 letters: 'a_name_of_more_letters_than_there_is_room_for'; "
           "shorten it"));
  static_assert(says(read({3}, [](auto x) { return x + b<3>; }).wrong,
                     "a symbol of an equation has a number instead of its name; write the name first, then "
                     "how many rows: W<\"gate\", 3>(x), b<\"gate\">"));
}
