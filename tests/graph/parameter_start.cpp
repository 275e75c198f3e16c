// How a stored parameter starts, and which starts name missing symbols: each gate of a stack by its own start, if one or several neighbours differ.
#include <tenon/graph/parameter_start.hpp>

#include <doctest/doctest.h>

#include <iterator>
#include <string>

using namespace tenon;
using namespace tenon::ir;

namespace {

/// A stack of four gates [3, 5] after a symbol that is none of them, with these starts.
struct stack_of_gates {
  program p{};
  stored_parameter stored{.path = "weight_hh", .first = 1, .count = 4, .rows = 12, .columns = 5};
  parameter stacked{};
  problem wrong{};

  template <int N>
  constexpr explicit stack_of_gates(const init::start (&own)[N], int columns = 5, int rows_of_last = 3) {
    p.symbols.add({.letter = "b", .rows = 7});
    for (const char* gate : {"i", "f", "g", "o"}) p.symbols.add({"U", gate, 3, columns});
    p.symbols.last().rows = rows_of_last;
    stacked.path = stored.path;
    stacked.rows = 9 + rows_of_last;
    stacked.columns = columns;
    wrong = start_gates(stacked, p, stored, {init::uniform(-1, 1), own, N});
  }
  /// The initialiser of each row.
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
  check(stack_of_gates({init::start("b", zero)}), {wide, wide, wide, wide});
  check(stack_of_gates({init::start("U", zero)}), {zero, zero, zero, zero});
  check(stack_of_gates({init::start("U", "f", one)}), {wide, one, wide, wide});
  check(stack_of_gates({init::start("U", "i", one)}), {one, wide, wide, wide});
  check(stack_of_gates({init::start("U", "o", one)}), {wide, wide, wide, one});
  check(stack_of_gates({init::start("U", zero), init::start("U", "f", one), init::start("U", "g", one)}),
        {zero, one, one, zero});
  check(stack_of_gates({init::start("U", "f", one), init::start("U", "g", one), init::start("U", "o", one)}),
        {wide, one, one, one});
}

TEST_CASE("a matrix for each gate, not one for all of them") {
  const stack_of_gates all({init::start("U", init::orthogonal())});
  CHECK_FALSE(all.wrong);
  CHECK(all.stacked.start == init::each_of(4, init::orthogonal()));
  const stack_of_gates two(
      {init::start("U", "g", init::identity()), init::start("U", "o", init::identity())});
  CHECK_FALSE(two.wrong);
  CHECK(two.stacked.start == wide);
  CHECK((two.stacked.apart.first == 6 && two.stacked.apart.count == 6));
  CHECK(two.stacked.apart.start == init::each_of(2, init::identity()));
}

TEST_CASE("what cannot be told is an error that names the parameter") {
  const std::string ways = "the gates of 'weight_hh' start in too many ways";
  const auto rule_of = [](const stack_of_gates& s) { return std::string(explain(s.wrong).view()); };
  CHECK(rule_of(stack_of_gates({init::start("U", "i", one), init::start("U", "g", one)})).starts_with(ways));
  CHECK(rule_of(stack_of_gates({init::start("U", "f", one), init::start("U", "g", zero)})).starts_with(ways));
  // Matrices of one kind below each other are of equal height.
  CHECK(rule_of(stack_of_gates({init::start("U", init::orthogonal())}, 5, 4)).starts_with(ways));
  CHECK_FALSE(stack_of_gates({init::start("U", "f", one)}, 5, 4).wrong);
  const std::string vector = rule_of(stack_of_gates({init::start("U", "f", init::orthogonal())}, 0));
  CHECK(vector.starts_with("node 'weight_hh': Xavier's, Kaiming's, orthogonal and identity"));
}

TEST_CASE("a start of a symbol that the equation does not have") {
  program p;
  p.symbols.add({.letter = "gain", .rows = 3});
  for (const char* gate : {"reset", "z"}) p.symbols.add({"U", gate, 3, 3});
  const auto says = [&](const init::start& own) {
    return std::string(explain(unfit_names_of_parameters(p, {init::uniform(-1, 1), &own, 1})).view());
  };
  for (const init::start& right :
       {init::start("gain", one), init::start("U", one), init::start("U", "z", one)})
    CHECK(says(right).empty());
  CHECK(says(init::start("gian", one)) ==
        "starts[] has the letter 'gian', and the equation has not; did you mean 'gain'?");
  CHECK(says(init::start("W", one)) ==
        "starts[] has the letter 'W', and the equation has not; its letters are 'gain' 'U'");
  CHECK(says(init::start("W", "z", one)) ==
        "starts[] has the letter 'W', and the equation has not; its letters are 'gain' 'U'");
  CHECK(says(init::start("U", "rest", one)) ==
        "starts[] has 'U' of a gate 'rest', and the equation has not; did you mean 'reset'?");
  CHECK(says(init::start("U", "n", one)) ==
        "starts[] has 'U' of a gate 'n', and the equation has not; its gates of 'U' are 'reset' 'z'");
  CHECK(says(init::start("U", "n", one).if_there()).empty());
  CHECK(says(init::start("W", one).if_there()).empty());
  // The first mistake is reported; later ones are found, too.
  const init::start two[]{init::start("U", one), init::start("b", one)};
  CHECK(unfit_names_of_parameters(p, {init::uniform(-1, 1), two, 2}));
  CHECK_FALSE(unfit_names_of_parameters(p, {init::uniform(-1, 1), two, 1}));
}
