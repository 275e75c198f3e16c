// Loops of few units, whose sums are shared by neighbouring lanes, in the emulation of blocks and threads: which loops they are, and their
// numbers against the reference's in double.
#include "tenon/backend/cuda/narrow_loop.hpp"

#include "support/check_loop.hpp"
#include "support/check_stage.hpp"
#include "support/crossed_cell.hpp"

namespace tenon::test {

using namespace nn;
using namespace backend::cuda_detail;

struct one_gate_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(tanh(W<>(x) + U<>(h) + b<>)); }
};
template <class Cell, int Width, class T = float>
constexpr bool is_narrow =
    is_narrow_loop<typename engine::detail::loop_of_schedule<in_stages<cell_step<Cell, 2, Width>>>::code, T>;

TEST_CASE("few units whose weights are all in registers") {
  static_assert(is_narrow<cells::lstm, 1> && is_narrow<cells::lstm, 33> && is_narrow<cells::lstm, 64>);
  static_assert(is_narrow<cells::gru, 64> && is_narrow<crossed_cell, 64>);
  static_assert(!is_narrow<cells::lstm, 65> && !is_narrow<one_gate_cell, 65>);
  static_assert(is_narrow<many_gates, 32> && !is_narrow<many_gates, 33>, "eight gates");
  static_assert(!is_narrow<cells::lstm, 32, double>);
}

// A loop of one product of four columns, which reads `Depth` numbers of two states from column `From` on.
template <int Width, int From, int Depth>
struct loop_with_product {
  static constexpr stage_body stage = [] {
    stage_body to;
    to.products.add({.depth = Depth});
    for (int c = 0; c < 4; ++c) to.products[0].columns.add(c * Width);
    return to;
  }();
  struct of_width {
    int width;
  };
  static constexpr of_width body{Width};
  struct of_columns {
    int products[1];
  };
  static constexpr of_columns loop{{From}};
};
TEST_CASE("a product that reads a part of a state is left to the other kernel") {
  static_assert(is_narrow_loop<loop_with_product<32, 0, 32>, float>);
  static_assert(is_narrow_loop<loop_with_product<32, 32, 32>, float>, "the second state");
  static_assert(!is_narrow_loop<loop_with_product<32, 0, 16>, float>);
  static_assert(!is_narrow_loop<loop_with_product<32, 16, 16>, float>);
}

TEST_CASE("each lane of a unit has every fourth group of four terms") {
  for (int width = 1; width <= most_narrow_units; ++width) {
    CHECK(groups_of_lane(width) * terms_of_lanes >= width);
    CHECK((groups_of_lane(width) - 1) * terms_of_lanes < width);
  }
}

TEST_CASE("widths that are whole groups of all lanes, and others") {
  check_loops<cell_step<cells::lstm, 3, 16>>(4, 5);
  check_loops<cell_step<cells::lstm, 3, 19>>(4, 3);
  check_loops<cell_step<cells::gru, 3, 32>>(4, 3);
  check_loops<cell_step<cells::gru, 3, 47>>(3, 2);
  check_loops<training_step<cells::lstm, 2, 64>>(3, 2);
}
TEST_CASE("one gate, and one unit") {
  check_loops<cell_step<one_gate_cell, 3, 20>>(5, 4);
  check_loops<cell_step<one_gate_cell, 1, 1>>(5, 4);
}
TEST_CASE("two states in products, both read unit by unit") {
  check_loops<cell_step<crossed_cell, 3, 24>>(4, 5);
  check_loops<cell_step<crossed_cell, 2, 37>>(3, 3);
}
TEST_CASE("four rows of a block, the last of which are missing") {
  std::vector<int> lengths;
  for (int r = 0; r < 131; ++r) lengths.push_back(r % 4);
  for (const bool backwards : {false, true}) {
    check_loop<cell_step<cells::lstm, 2, 18>>(3, 131, lengths, backwards);
    check_loop<cell_step<cells::gru, 2, 32>>(3, 130, {}, backwards);
  }
}

}  // namespace tenon::test
