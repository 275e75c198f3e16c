// How a stored parameter starts: the gates of a stack each as they are told, where one of them, or some neighbours, differ.
#include <tenon/graph/parameter_start.hpp>

#include <doctest/doctest.h>

#include <iterator>
#include <string>

using namespace tenon;
using namespace tenon::ir;

namespace {

/// A stack of four gates [3, 5] behind a symbol that is none of them; started as these say.
struct stack_of_gates {
  program p{};
  stored_parameter stored{.path = "weight_hh", .first = 1, .count = 4, .rows = 12, .columns = 5};
  parameter stacked{};
  problem wrong{};

  template <int N>
  constexpr explicit stack_of_gates(const start_value (&own)[N], int columns = 5, int rows_of_last = 3) {
    p.symbols.add({.letter = "b", .rows = 7});
    for (const char* gate : {"i", "f", "g", "o"}) p.symbols.add({"U", gate, 3, columns});
    p.symbols.last().rows = rows_of_last;
    stacked.path = stored.path, stacked.rows = 9 + rows_of_last, stacked.columns = columns;
    wrong = start_gates(stacked, p, stored, {init::uniform(-1, 1), own, N});
  }
  /// Of each row its initialiser.
  constexpr ir::initializer of_row(int row) const {
    const rows_apart& a = stacked.apart;
    return row >= a.first && row < a.first + a.count ? a.start : stacked.start;
  }
};
constexpr ir::initializer zero = init::constant(0), one = init::constant(1), wide = init::uniform(-1, 1);

}  // namespace

TEST_CASE("each row starts as its gate does") {
  const auto check = [](const stack_of_gates& s, std::initializer_list<initializer> gates) {
    CHECK_FALSE(s.wrong);
    for (int row = 0; row < 12; ++row) CHECK(s.of_row(row) == *std::next(gates.begin(), row / 3));
  };
  check(stack_of_gates({start_value("b", zero)}), {wide, wide, wide, wide});
  check(stack_of_gates({start_value("U", zero)}), {zero, zero, zero, zero});
  check(stack_of_gates({start_value("U", "f", one)}), {wide, one, wide, wide});
  check(stack_of_gates({start_value("U", "i", one)}), {one, wide, wide, wide});
  check(stack_of_gates({start_value("U", "o", one)}), {wide, wide, wide, one});
  check(stack_of_gates({start_value("U", zero), start_value("U", "f", one), start_value("U", "g", one)}),
        {zero, one, one, zero});
  check(stack_of_gates({start_value("U", "f", one), start_value("U", "g", one), start_value("U", "o", one)}),
        {wide, one, one, one});
}

TEST_CASE("a matrix for each gate, not one for all of them") {
  const stack_of_gates all({start_value("U", init::orthogonal())});
  CHECK_FALSE(all.wrong);
  CHECK(all.stacked.start == init::each_of(4, init::orthogonal()));
  const stack_of_gates two(
      {start_value("U", "g", init::identity()), start_value("U", "o", init::identity())});
  CHECK_FALSE(two.wrong);
  CHECK(two.stacked.start == wide);
  CHECK((two.stacked.apart.first == 6 && two.stacked.apart.count == 6));
  CHECK(two.stacked.apart.start == init::each_of(2, init::identity()));
}

TEST_CASE("what cannot be told is an error that names the parameter") {
  const std::string ways = "the gates of 'weight_hh' start in too many ways";
  const auto rule_of = [](const stack_of_gates& s) { return std::string(explain(s.wrong).view()); };
  CHECK(rule_of(stack_of_gates({start_value("U", "i", one), start_value("U", "g", one)})).starts_with(ways));
  CHECK(rule_of(stack_of_gates({start_value("U", "f", one), start_value("U", "g", zero)})).starts_with(ways));
  // Matrices of one kind below each other are of equal height.
  CHECK(rule_of(stack_of_gates({start_value("U", init::orthogonal())}, 5, 4)).starts_with(ways));
  CHECK_FALSE(stack_of_gates({start_value("U", "f", one)}, 5, 4).wrong);
  const std::string vector = rule_of(stack_of_gates({start_value("U", "f", init::orthogonal())}, 0));
  CHECK(vector.starts_with("node 'weight_hh': Xavier's, Kaiming's, orthogonal and identity"));
}
