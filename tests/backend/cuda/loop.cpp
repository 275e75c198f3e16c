// All steps of a recurrent layer in one kernel, in the emulation of blocks and threads: the index arithmetic, the pattern, the plans.
#include "tenon/backend/cuda/loop.hpp"

#include "support/check_loop.hpp"
#include "support/check_stage.hpp"
#include "support/crossed_cell.hpp"
#include "tenon/backend/cuda/bfloat16.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/recurrent.hpp"

#include <set>

namespace tenon::test {

using namespace nn;

struct one_gate_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(tanh(W<>(x) + U<>(h) + b<>)); }
};

TEST_CASE("an LSTM") {
  check_loops<cell_step<cells::lstm, 1, 1>>(1, 1);
  check_loops<cell_step<cells::lstm, 3, 7>>(5, 7);
  check_loops<cell_step<cells::lstm, 5, 33>>(4, 33);
  check_loops<cell_step<cells::lstm, 2, 60>, double>(3, 5);
}
TEST_CASE("a GRU") {
  check_loops<cell_step<cells::gru, 4, 1>>(3, 7);
  check_loops<cell_step<cells::gru, 3, 9>, double>(5, 1);
  check_loops<cell_step<cells::gru, 5, 17>>(4, 33);
}
TEST_CASE("a cell of one's own") {
  check_loops<cell_step<crossed_cell, 3, 5>>(5, 7);
  check_loops<cell_step<crossed_cell, 3, 33>>(3, 33);
}
TEST_CASE("more units than a narrow loop has") {
  check_loops<cell_step<cells::lstm, 2, 70>>(3, 3);
  check_loops<training_step<cells::gru, 2, 65>>(3, 2);
  check_loop<cell_step<crossed_cell, 1, 66>>(2, 131, std::vector<int>(131, 1), true);
}
TEST_CASE("more units than a block has lanes") {
  check_loop<cell_step<one_gate_cell, 2, 255>>(2, 2, {1, 2}, false);
  check_loop<cell_step<one_gate_cell, 1, 513>>(2, 3, {2, 0, 1}, true);
}
TEST_CASE("four rows of a block") {
  check_loop<cell_step<cells::lstm, 2, 5>>(3, 131, std::vector<int>(131, 2), false);
  check_loop<cell_step<cells::lstm, 2, 60>, double>(2, 130, std::vector<int>(130, 1),
                                                    true);  // two have room
}
TEST_CASE("a training writes what it keeps") {
  check_loops<training_step<cells::lstm, 3, 7>>(5, 7);
  check_loops<training_step<cells::gru, 3, 9>, double>(4, 7);
}

// --- which loops are taken ---
template <class Layer, int Steps = 7>
using of = graph<"of", input<"x", features<5>, steps<Steps>>, node<"states", Layer, "x">, output<"states">>;

struct by_steps : backend::cuda {};
constexpr loop_limits limits_of_loops(by_steps, int) { return {}; }

template <class Session, int O = 0>
constexpr bool takes_loop() {
  using plan = typename Session::plan;
  if constexpr (plan::net.operations[O].kind != operation_kind::scan) return takes_loop<Session, O + 1>();
  else return plan::template program_of<O>::takes_loop;
}
template <class Layer, class... Options>
constexpr bool is_taken = takes_loop<inference<of<Layer>, on<backend::cuda>, Options...>>();
using in_16_bits = backend::cuda_with<backend::bfloat16_weights>;
template <class Layer, class... Options>
constexpr bool is_taken_in_16_bits = takes_loop<inference<of<Layer>, on<in_16_bits>, Options...>>();

static_assert(is_taken<lstm<40>> && is_taken<gru<40>> && is_taken<lstm<128>> &&
              is_taken<lstm<7, bidirectional>>);
static_assert(takes_loop<differentiation<of<lstm<40>>, void, on<backend::cuda>>>());
static_assert(!is_taken<lstm<129>>, "too many weights for a cache, and no card has shared so few");
static_assert(is_taken<lstm<256>> && is_taken<gru<256>, batch<128>> && is_taken<lstm<1024>, batch<32>>,
              "blocks share the units");
static_assert(!is_taken<lstm<256>, batch<129>> && !is_taken<lstm<512>, batch<33>> && !is_taken<lstm<1025>> &&
              !is_taken_in_16_bits<lstm<256>>);
static_assert(is_taken<lstm<90>, batch<513>> && !is_taken<lstm<91>, batch<513>>,
              "many rows have their weights in registers alone");
static_assert(is_taken_in_16_bits<lstm<180>> && !is_taken_in_16_bits<lstm<181>> &&
              is_taken_in_16_bits<lstm<127>, batch<513>> && !is_taken_in_16_bits<lstm<128>, batch<513>>);
static_assert(!is_taken<recurrent<cells::gru_cho, hidden<8>>>, "a product behind the gates: two stages");
static_assert(!takes_loop<inference<of<lstm<40>>, on<by_steps>>>() && !takes_loop<inference<of<lstm<40>>>>());
static_assert(!takes_loop<streaming<of<lstm<40>>, on<backend::cuda>>>(), "a stream takes a step");
static_assert(!takes_loop<inference<of<lstm<40>, 1>, on<backend::cuda>>>(), "one step is no loop");

template <class Session>
constexpr int steps_of_block = memory_of<typename Session::plan>.operations[0].forward_block;

TEST_CASE("all steps go through a loop together, where what is computed before it is not too much") {
  static_assert(steps_of_block<inference<of<lstm<40>, 100>, batch<32>>> == 9);
  static_assert(steps_of_block<inference<of<lstm<40>, 100>, batch<32>, on<by_steps>>> == 100);
  static_assert(steps_of_block<inference<of<lstm<40>, 100>, batch<32>, on<backend::cuda>>> == 100);
  static_assert(steps_of_block<inference<of<lstm<128>, 100>, batch<512>, on<backend::cuda>>> == 15);
}

// --- index arithmetic ---
using namespace backend::cuda_detail;

TEST_CASE("the shape of a block") {
  constexpr loop_shape one = shape_of_loop(40, 4, 80, 4, false);
  static_assert(one.lanes == 64 && one.slices == 4 && one.rows == 1 && one.turns == 1);
  constexpr loop_shape four = shape_of_loop(128, 4, 256, 4, true);
  static_assert(four.threads() == 512 && four.rows == 4);
  static_assert(shape_of_loop(128, 4, 256, 8, true).rows == 2, "four rows of doubles are too much to share");
  static_assert(shape_of_loop(600, 1, 600, 4, false).turns == 2);
  for (int width : {1, 31, 32, 33, 128, 512, 600})
    for (int bytes : {4, 8})
      for (bool many : {false, true})
        for (int sums : {1, 4, max_stage_sums}) {
          const loop_shape shape = shape_of_loop(width, sums, states_of_row, bytes, many);
          CHECK(shape.threads() % 32 == 0);
          CHECK(shape.threads() <= most_threads);
          CHECK(shape.lanes * shape.turns >= width);
          CHECK(shape.numbers(sums, states_of_row) * bytes <= shared_bytes_of_block);
        }
}
TEST_CASE("few rows have blocks of their own") {
  CHECK(!has_many_rows(128));
  CHECK(has_many_rows(129));
}
TEST_CASE("weights that are kept fit into the registers") {
  static_assert(terms_of_slice(128, 4) == 32 && terms_of_slice(7, 4) == 2);
  static_assert(terms_kept(32, 4, 0, 4) == 16 && terms_kept(8, 4, 0, 4) == 8 && terms_kept(8, 4, 64, 4) == 0);
  static_assert(terms_kept(32, 4, 0, 8) == 8);
}
TEST_CASE("terms that ask for weights together are few enough for the registers") {
  for (int columns = 1; columns <= max_stage_sums; ++columns) {
    CHECK(terms_together(columns) > 0);
    CHECK(terms_together(columns) * columns <= 32);
  }
}
TEST_CASE("states of a block, before and after a step") {
  std::set<int> places;
  for (bool odd : {false, true})
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 5; ++c) places.insert(place_of_state(odd, 3, r, 5, c));
  CHECK(places.size() == 30);
  CHECK(*places.rbegin() == 29);
}
TEST_CASE("the order of steps, and the end of a row") {
  CHECK(step_in_memory({4, 3, false}, 0) == 0);
  CHECK(step_in_memory({4, 3, true}, 0) == 2);
  CHECK(step_in_memory({4, 3, true}, 2) == 0);
  const int lengths[]{0, 3};
  CHECK(has_ended(lengths, 0, 0));
  CHECK(!has_ended(lengths, 1, 2));
  CHECK(has_ended(lengths, 1, 3));
  CHECK(!has_ended(nullptr, 0, 9));
}

}  // namespace tenon::test
