// The index arithmetic of a loop that is one kernel: every choice against a search of all that fit, every place against a count of them.
#include <tenon/backend/cuda/loop_shape.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tenon::test {

using namespace backend::cuda_detail;

constexpr long bytes_of_block = 48 * 1024 - 32;

TEST_CASE("a block of threads for each width and size of the weights") {
  for (int width = 1; width <= 600; width += width < 130 ? 1 : 37)
    for (const long row_bytes : {8L, 400L, 4096L, 12000L})
      for (const long weight_bytes : {0L, 1000L, 20000L, 40000L, 47000L, 200000L})
        for (const bool many_rows : {false, true}) {
          const loop_shape shape = shape_of_loop(width, row_bytes, weight_bytes, many_rows);
          INFO(width, " ", row_bytes, " ", weight_bytes, " ", many_rows);
          // Whole warps: the fewest that have a lane for each unit, and at most 8.
          int warps = 1;
          while (warps < 8 && 32 * warps < width) ++warps;
          CHECK(shape.lanes == 32 * warps);
          CHECK(shape.rows == (many_rows ? 4 : 1));
          CHECK(shape.threads() <= std::max(128, shape.lanes));
          CHECK(shape.rows_together() == shape.rows * shape.groups);

          // All numbers of groups that 128 threads have, with the weights beside the states and without.
          int with_weights = 0, without = 1;
          for (int groups = 1; groups == 1 || (many_rows && groups * shape.lanes <= 128); ++groups) {
            const long states = 2 * row_bytes * shape.rows * groups;  // read and written
            if (weight_bytes + states <= bytes_of_block) with_weights = groups;
            if (states <= bytes_of_block) without = groups;
          }
          CHECK(shape.holds_weights == (with_weights > 0));
          CHECK(shape.groups == (with_weights > 0 ? with_weights : without));
        }
}

TEST_CASE("rows of a thread") {
  for (const bool holds_weights : {false, true}) {
    const int limit = holds_weights ? 128 : 32;  // blocks, of a row each
    CHECK_FALSE(has_many_rows(1, holds_weights));
    CHECK_FALSE(has_many_rows(limit, holds_weights));
    CHECK(has_many_rows(limit + 1, holds_weights));
  }
}

TEST_CASE("terms together are fewer for more columns, and never more than 32 weights at once") {
  int last = terms_together(1);
  for (int columns = 1; columns < 100; ++columns) {
    const int terms = terms_together(columns);
    CHECK(terms >= 1);
    CHECK(terms <= last);
    if (columns <= 16) CHECK(terms * columns <= 32);
    if (columns > 16) CHECK(terms == 1);
    last = terms;
  }
}

TEST_CASE("each state has a place of its own, those that are read apart from those that are written") {
  constexpr int rows = 6, states = 5;
  std::vector<int> uses(2 * rows * states);
  for (const bool odd : {false, true})
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < states; ++column) {
        const int place = place_of_state(odd, rows, row, states, column);
        REQUIRE(place >= 0);
        REQUIRE(place < int(uses.size()));
        ++uses[std::size_t(place)];
        CHECK((place < rows * states) == !odd);
        if (column > 0)
          CHECK(place == place_of_state(odd, rows, row, states, column - 1) + 1);  // side by side
      }
  CHECK(std::count(uses.begin(), uses.end(), 1) == std::ptrdiff_t(uses.size()));
}

TEST_CASE("steps to and from the end") {
  std::vector<int> in_order, turned;
  for (int n = 0; n < 7; ++n) {
    in_order.push_back(step_in_memory({0, 7, false}, n));
    turned.push_back(step_in_memory({0, 7, true}, n));
  }
  CHECK(in_order == std::vector<int>{0, 1, 2, 3, 4, 5, 6});
  std::reverse(turned.begin(), turned.end());
  CHECK(turned == in_order);
  const int lengths[]{3, 0};
  CHECK_FALSE(has_ended(nullptr, 0, 100));
  CHECK_FALSE(has_ended(lengths, 0, 2));
  CHECK(has_ended(lengths, 0, 3));
  CHECK(has_ended(lengths, 1, 0));
}

TEST_CASE("which loops are taken: with more rows, smaller weights alone") {
  const auto few = limits_of_loops(backend::cuda{}, 4 * 128),
             many = limits_of_loops(backend::cuda{}, 4 * 128 + 1);
  CHECK(few.weights > many.weights);
  CHECK(few.states == many.states);
  CHECK(few.numbers == many.numbers);
  // Beside the states of four rows a block holds the weights of an LSTM of 53 units, and no more.
  CHECK(4 * 53 * 53 <= many.weights);
  CHECK(4 * 54 * 54 > many.weights);
}

}  // namespace tenon::test
