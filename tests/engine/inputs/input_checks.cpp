// Mistakes that a run can find in its inputs: numbers of any type at the limits of their range, and what each message names.
#include "tenon/engine/inputs/input_checks.hpp"

#include "tenon/engine/session/inference.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace tenon::test {
using namespace nn;

namespace {

using tagger = graph<"tagger", input<"tokens", token<9>, steps<4>>, input<"x", features<2>>,
                     node<"e", embedding<9, 2>, "tokens">, node<"m", mean_over<"time">, "e">,
                     node<"y", add, "m", "x">, output<"y">>;
using plan = engine::plan_of<tagger, void, engine::purpose::inference, batch<3>>;
using checks = engine::input_checks<plan>;
constexpr int tokens = plan::net.inputs[0], x = plan::net.inputs[1];

// With a target that may be left out.
using trained =
    engine::plan_of<tagger, losses::cross_entropy<"y">, engine::purpose::differentiation, batch<3>>;
constexpr int target = trained::net.inputs[2];

template <class F>
std::string said(F check) {
  try {
    check();
  } catch (const input_error& error) { return error.what(); }
  return "";
}

constexpr auto most = std::numeric_limits<std::uint64_t>::max();
static_assert(!checks::is_negative(most) && checks::is_negative(-1) && checks::is_negative(std::int8_t{-1}));
static_assert(!checks::is_below(most, 9) && checks::is_below(8u, 9) && !checks::is_below(9, 9));
static_assert(checks::is_in_range<tokens>(0) && checks::is_in_range<tokens>(8) &&
              !checks::is_in_range<tokens>(9));
static_assert(!checks::is_in_range<tokens>(-1) && !checks::is_in_range<tokens>(most));

// Only a token that is a target may be left out, by -1.
using trained_checks = engine::input_checks<trained>;
static_assert(trained_checks::may_be_left_out(target) && !trained_checks::may_be_left_out(tokens));
static_assert(trained_checks::is_in_range<target>(-1) && !trained_checks::is_in_range<target>(-2) &&
              trained_checks::is_in_range<target>(1) && !trained_checks::is_in_range<target>(2));
static_assert(trained_checks::table_of(target) == -1 && trained_checks::table_of(tokens) >= 0);

}  // namespace

TEST_CASE("rows, ranks and numbers of a row") {
  CHECK(said([] { checks::checked_rows<x>(3); }).empty());
  CHECK(said([] { checks::checked_rows<x>(0); }) == "input 'x': the batch is empty");
  CHECK(said([] { checks::checked_rows<x>(4); }) == "input 'x': at most 3 rows fit into batch<3>, got 4");
  CHECK(said([] { checks::refuse_rank<x>(2, 1); }) == "input 'x': expected rank 2, got rank 1");
  CHECK(said([] { checks::refuse_rank<x>(2, 3); }) ==
        "input 'x': expected rank 2, got rank 3; its first axis is that of layers: give one of them, x[k], "
        "or give the "
        "input layers<n>");
  CHECK(said([] { checks::check_numbers<x>(2, 2, 0); }).empty());
  CHECK(said([] { checks::check_numbers<x>(3, 2, 1); }) == "input 'x': row 1: expected 2 numbers, got 3");
  CHECK(said([] { checks::check_numbers<x>(3, 2, 1, 4); }) ==
        "input 'x': row 1, step 4: expected 2 numbers, got 3");
}

TEST_CASE("lengths, and tokens of a table or of a range") {
  CHECK(said([] { checks::check_length<tokens>(0u, 0, 4); }).empty());
  CHECK(said([] { checks::check_length<tokens>(4, 0, 4); }).empty());
  CHECK(said([] { checks::check_length<tokens>(-1, 2, 4); }) ==
        "input 'tokens': row 2: length -1 is negative");
  CHECK(said([] { checks::check_length<tokens>(most, 2, 4); }) ==
        "input 'tokens': row 2: length 18446744073709551615 is beyond the bound of 4 steps");
  CHECK(said([] { checks::check_token<tokens>(9, 1, 3); }) ==
        "input 'tokens': row 1, step 3: token 9 is outside table 'e.weight' of 9 rows");
  CHECK(said([] { trained_checks::check_token<target>(2, 1, 0); }) ==
        "input 'target': row 1: token 2 is outside the range of 2");
}

TEST_CASE("inputs of one run agree") {
  int rows = -1;
  ir::characters first;
  CHECK(said([&] { checks::check_rows(-1, "x", rows, first); }) == "input 'x' has not been given");
  checks::check_rows(2, "tokens", rows, first);
  CHECK(rows == 2);
  CHECK(said([&] { checks::check_rows(3, "x", rows, first); }) ==
        "input 'x' has 3 rows, input 'tokens' has 2");
  const int a[]{3, 1, 9}, b[]{3, 2, 0};
  CHECK(said([&] { checks::check_same_lengths(a, "a", b, "b", 1); }).empty());  // of the rows that are there
  CHECK(said([&] { checks::check_same_lengths(a, "a", b, "b", 2); }) ==
        "input 'b': row 1 has length 2, in input 'a' on the same time axis it has length 1");
}

}  // namespace tenon::test
