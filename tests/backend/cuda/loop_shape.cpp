// The index arithmetic of a loop in one kernel: every choice against a search of all shapes that fit, every place against counting.
#include <tenon/backend/cuda/loop_shape.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tenon::test {

using namespace backend::cuda_detail;

constexpr long bytes_of_block = 48 * 1024 - 32;

TEST_CASE("a block of threads for each width, with its states and sums in shared memory") {
  for (int width = 1; width <= 1100; width += width < 130 ? 1 : 37)
    for (const long states : {1L, 100L, 512L})
      for (const int sums : {1, 4, 16})
        for (const int bytes : {4, 8})
          for (const bool many_rows : {false, true}) {
            const loop_shape shape = shape_of_loop(width, sums, states, bytes, many_rows);
            INFO(width, " ", states, " ", sums, " ", bytes, " ", many_rows);
            const auto fits = [&](int lanes, int slices, int rows) {
              const long sums_of_block = long(lanes) * slices * sums * rows;
              return (sums_of_block + 2L * rows * states) * bytes <= bytes_of_block;
            };
            CHECK(fits(shape.lanes, shape.slices, shape.rows));
            CHECK(shape.lanes % 32 == 0);
            CHECK(shape.lanes * shape.turns >= width);
            CHECK(shape.lanes * (shape.turns - 1) < width);
            CHECK(shape.threads() <= 512);
            CHECK(shape.slices <= 4);
            // Nothing is reduced that would fit: rows are reduced first, lanes last.
            const int whole = std::min((width + 31) / 32 * 32, 512);
            if (shape.lanes < whole) CHECK_FALSE(fits(shape.lanes + 32, 1, 1));
            if (shape.slices < std::min(4, 512 / shape.lanes) && shape.lanes == whole)
              CHECK_FALSE(fits(shape.lanes, shape.slices + 1, 1));
            if (many_rows && shape.rows < 4)
              CHECK_FALSE(fits(whole, std::min(4, 512 / whole), 2 * shape.rows));
          }
}

TEST_CASE("rows of a block") {
  CHECK_FALSE(has_many_rows(1));
  CHECK_FALSE(has_many_rows(128));
  CHECK(has_many_rows(129));
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
  // The registers of a block hold the weights of an LSTM of 90 units at most; with few rows the first cache holds as many again.
  CHECK(4 * 90 * 90 <= many.weights);
  CHECK(4 * 91 * 91 > many.weights);
  CHECK(few.weights == 4 * 128 * 128);
}

TEST_CASE("blocks share the weights of a GRU of 256 to an LSTM of 1,024 units, with few rows") {
  const auto shared = limits_of_loops(backend::cuda{}, 32);
  CHECK(shared.least_shared == 3 * 256 * 256);
  CHECK(shared.least_shared > shared.weights);  // which one block holds
  CHECK(shared.blocks * shared.weights_of_block == 4 * 1024 * 1024);
  const auto more_rows = limits_of_loops(backend::cuda{}, 128);
  CHECK(more_rows.blocks * more_rows.weights_of_block == 4 * 256 * 256);
  CHECK(limits_of_loops(backend::cuda{}, 129).blocks == 0);
}

}  // namespace tenon::test
