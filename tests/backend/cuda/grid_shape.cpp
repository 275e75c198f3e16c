// How the blocks of a loop share its units: every unit and every term has a place, and the weights fit into registers.
#include "tenon/backend/cuda/grid_shape.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tenon::test {

using namespace backend::cuda_detail;

TEST_CASE("the threads of a block are lanes of units, and slices of terms") {
  for (int units = 1; units <= 64; units *= 2) {
    CAPTURE(units);
    const grid_shape shape{units};
    CHECK(shape.lanes() * shape.unit_warps() == units);
    CHECK(shape.lanes() * shape.slice_lanes() == 32);
    CHECK(units * shape.slices() == threads_of_grid_loop);
    for (int depth : {1, 4, 31, 32, 129, 1024}) {
      const int terms = 4 * shape.slices() * shape.fours(depth);
      CHECK(terms >= depth);
      CHECK(terms - depth < 4 * shape.slices());
    }
  }
}

// A loop with `columns` products of its state of `width` numbers for each unit.
ir::loop_body loop_of_products(int width, int columns) {
  ir::loop_body loop;
  loop.stage.body.width = width;
  ir::stage_product product;
  product.depth = width;
  for (int c = 0; c < columns; ++c) product.columns.add(c * width);
  loop.stage.products.add(product);
  return loop;
}
TEST_CASE("a block has as many units as its registers hold weights of") {
  for (int width : {20, 100, 129, 200, 256, 300, 512, 700, 1000, 1024})
    for (int columns : {1, 3, 4})
      for (int bytes : {4, 8}) {
        CAPTURE(width);
        CAPTURE(columns);
        const int units = units_of_grid_block(loop_of_products(width, columns), bytes);
        const long weights = long(width) * columns;
        REQUIRE(units > 0);
        CHECK(units * weights * bytes <= 4 * weights_in_block);
        CHECK((units == 64 || 2 * units * weights * bytes > 4 * weights_in_block));
        // of each thread, with the terms that a last slice lacks
        CHECK(grid_shape{units}.fours(width) * 4 * columns * bytes <=
              bytes_kept_in_grid + 3 * columns * bytes);
      }
}
TEST_CASE("which loops are shared by how many blocks") {
  const ir::loop_limits limits{.blocks = 128, .weights_of_block = weights_in_block};
  CHECK(limits.fits_in_blocks(loop_of_products(1024, 4)));
  CHECK(!limits.fits_in_blocks(loop_of_products(1025, 4)));
  CHECK(limits.fits_in_blocks(loop_of_products(1024, 3)));
  CHECK(!limits.fits_in_blocks(loop_of_products(1100, 3)));  // eight units in each block
  CHECK(limits.fits_in_blocks(loop_of_products(2048, 1)));
  CHECK(!limits.fits_in_blocks(loop_of_products(2049, 1)));
  CHECK(!ir::loop_limits{}.fits_in_blocks(loop_of_products(1, 1)));
  CHECK(!ir::loop_limits{.blocks = 128, .weights_of_block = weights_in_block, .least_shared = 101}
             .fits_in_blocks(loop_of_products(10, 1)));
}
TEST_CASE("the rows of a pass are a power of two that registers and shared memory have room for") {
  for (int sums = 1; sums <= ir::max_stage_sums; ++sums)
    for (long states : {20, 512, 1024, 2048, 4096})
      for (int bytes : {4, 8}) {
        const int rows = rows_of_pass(sums, states, bytes);
        CHECK((rows == 1 || rows == 2 || rows == 4 || rows == 8));
        CHECK(rows * sums <= 32);
        CHECK((rows == 1 || rows * states * bytes <= 32 * 1024));
      }
  CHECK(rows_of_pass(4, 1024, 4) == 8);
}

}  // namespace tenon::test
