// Bodies of kernels: their sizes, and where the weights of a loop's products begin.
#include <tenon/program/kernel_body.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace tenon;
using namespace tenon::ir;

TEST_CASE("a store adds to what is there, element by element or over the steps") {
  CHECK_FALSE(map_store{}.accumulates());
  CHECK(map_store{.adds = true}.accumulates());
  CHECK(map_store{.over_steps = true}.accumulates());
}

// Products one after the other: one row of weights for each column of the product and each unit.
TEST_CASE("the weights of a loop's products, counted row by row") {
  const auto loop = std::make_unique<loop_body>();
  loop->stage.body.width = 6;
  const std::vector<std::pair<int, int>> products{{4, 6}, {1, 3}, {2, 9}};  // columns, depth
  for (const auto& [columns, depth] : products) {
    stage_product p{.depth = depth};
    for (int c = 0; c < columns; ++c) p.columns.add(c * 6);
    loop->stage.products.add(p);
  }
  long count = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    CHECK(loop->weights_before(static_cast<int>(p)) == count);
    for (int c = 0; c < products[p].first; ++c)
      for (int unit = 0; unit < 6; ++unit)
        for (int k = 0; k < products[p].second; ++k) ++count;
  }
  CHECK(loop->weights() == count);
}

TEST_CASE("a row of states has the features of each") {
  const auto loop = std::make_unique<loop_body>();
  CHECK(loop->row() == 0);
  loop->states.add(7);
  loop->states.add(1);
  loop->states.add(32);
  CHECK(loop->row() == 40);
}

// As a constant of the program each list is as long as the longest: none may be cut off.
TEST_CASE("the longest list of a body, of a stage and of a loop, whichever it is") {
  const auto longest_with = [](auto grow) {
    const auto loop = std::make_unique<loop_body>();
    for (int k = 0; k < 9; ++k) grow(*loop);
    return loop->longest();
  };
  CHECK(longest_with([](loop_body&) {}) == 0);
  CHECK(longest_with([](loop_body& l) { l.stage.body.code.add({}); }) == 9);
  CHECK(longest_with([](loop_body& l) { l.stage.body.loads.add({}); }) == 9);
  CHECK(longest_with([](loop_body& l) { l.stage.body.stores.add({}); }) == 9);
  CHECK(longest_with([](loop_body& l) { l.stage.products.add({}); }) == 9);
  CHECK(longest_with([](loop_body& l) { l.stage.vectors.add({}); }) == 9);
  CHECK(longest_with([](loop_body& l) { l.states.add(1); }) == 9);
  CHECK(longest_with([](loop_body& l) { l.products.add(1); }) == 9);
  CHECK(longest_with([](loop_body& l) { l.loads.add(1); }) == 9);
  CHECK(longest_with([](loop_body& l) { l.stores.add(1); }) == 9);
}
