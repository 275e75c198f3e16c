// How many steps go through all phases at a time: blocks of equal length, with enough rows, and whole lines of a grid.
#include "tenon/engine/plan/blocks.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace tenon;
using namespace tenon::engine::detail;

static_assert(rows_in_block == 256 && block_elements == 8192);
// 32 steps of 32 rows are four blocks of 8; with few rows all steps are one block.
static_assert(steps_in_block(32, 32) == 8 && steps_in_block(32, 4) == 32 && steps_in_block(1, 512) == 1);
static_assert(steps_in_block(33, 32) == 9, "four blocks, the last one shorter");

// Loops that a backend runs whole: 1000 numbers are 10 steps of 100, which is more than 8; 32 steps are then four blocks.
static_assert(steps_taken(0, 100, 32, 8) == 8, "it takes none");
static_assert(steps_taken(1000, 100, 32, 8) == 8 && steps_taken(1600, 100, 32, 8) == 16);
static_assert(steps_taken(500, 100, 32, 8) == 8, "fewer than a block");
static_assert(steps_taken(1000, 0, 32, 8) == 32, "nothing is computed before the loop");

// Windows 36 wide: 8192 / (36 * 4) = 56 of a sequence with 4 rows, but 64 have enough rows; on a grid two lines of 28.
static_assert(windows_in_block({0, 0}, 4, 36) == 64 && windows_in_block({0, 0}, 1, 4) == 2048);
static_assert(windows_in_block({28, 28}, 4, 36) == 2 * 28 && windows_in_block({28, 28}, 512, 36) == 28);

static_assert(windows_in_block({224, 228}, 512, 18432) == 228,
              "a line of them is more numbers than an int has");

TEST_CASE("blocks of all sizes hold all steps") {
  for (int batch : {1, 3, 32, 700})
    for (long steps = 1; steps <= 600; ++steps) {
      const int block = steps_in_block(steps, batch);
      REQUIRE((block >= 1 && block <= steps));
    }
}
