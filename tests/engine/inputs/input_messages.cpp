// The messages for wrong inputs and columns: the whole sentence of each mistake.
#include "tenon/engine/inputs/input_messages.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

using namespace tenon;
using namespace tenon::engine;

namespace {
std::string said(auto&& refuse) {
  try {
    refuse();
  } catch (const input_error& e) { return e.what(); }
  return "nothing";
}
}  // namespace

TEST_CASE("of an input: its name, the row, the step where there is one") {
  CHECK(said([] { refuse_rows("x", 0, 4); }) == "input 'x': the batch is empty");
  CHECK(said([] { refuse_rows("x", 5, 4); }) == "input 'x': at most 4 rows fit into batch<4>, got 5");
  CHECK(said([] { refuse_length("x", 2, -1, 8); }) == "input 'x': row 2: length -1 is negative");
  CHECK(said([] { refuse_length("x", 0, std::size_t{9}, 8); }) ==
        "input 'x': row 0: length 9 is beyond the bound of 8 steps");
  CHECK(said([] { refuse_numbers("x", {3}, 2, 7); }) == "input 'x': row 3: expected 7 numbers, got 2");
  CHECK(said([] {
          refuse_numbers("x", {3, 0}, 2, 7);
        }) == "input 'x': row 3, step 0: expected 7 numbers, got 2");
  CHECK(said([] {
          refuse_token("x", {1, 6}, 12, {10, "embedded.weight", false});
        }) == "input 'x': row 1, step 6: token 12 is outside table 'embedded.weight' of 10 rows");
  CHECK(said([] {
          refuse_token("x", {1}, -2, {10, {}, true});
        }) == "input 'x': row 1: token -2 is outside the range of 10");
}

TEST_CASE("of a column: the remedy too") {
  CHECK(said([] {
          refuse_steps({"words", 4}, 12, 10);
        }) == "column 'words', row 4: 12 steps, expected at most 10; write steps<12>, or cut the sequence");
  CHECK(said([] {
          refuse_steps({"words", 4}, 12, 10, 30);
        }) ==
        "column 'words', row 4: 12 steps, expected at most 10, and the longest row has 30; write steps<30>, "
        "or cut the sequences");
  CHECK(said([] {
          refuse_steps({"words", 4}, -3, 10);
        }) == "column 'words', row 4: -3 steps, expected 0 to 10");
  CHECK(said([] {
          refuse_numbers(column_place{"target", 0, 2}, 1, 3);
        }) == "column 'target', row 0, step 2: 1 number, expected 3; a target is as wide as its output");
  CHECK(said([] {
          refuse_token(column_place{"target", 7}, 5, {5, {}, true});
        }) ==
        "column 'target', row 7: class 5, expected 0 to 4, or -1 for none; the output needs 6 features, one "
        "for "
        "each class");
  CHECK(said([] {
          refuse_token(column_place{"letters", 9, -1, true}, -1, {26, "table.weight", false});
        }) ==
        "input 'letters', position 9: token -1, expected 0 to 25, the rows of table 'table.weight'; numbers "
        "begin "
        "at 0");
}

TEST_CASE("a token beyond what a network can have has no remedy by a wider one") {
  constexpr token_range ten{10, {}, false};
  CHECK(said([&] {
          refuse_token(column_place{"x", 0}, size_argument::largest - 1, ten);
        }).find("write token<") != std::string::npos);
  CHECK(said([&] {
          refuse_token(column_place{"x", 0}, size_argument::largest, ten);
        }).find("write token<") == std::string::npos);
  CHECK(said([&] {
          refuse_token(column_place{"x", 0}, std::numeric_limits<std::int64_t>::max(), ten);
        }) == "column 'x', row 0: token 9223372036854775807, expected 0 to 9; no network has so many");
}
