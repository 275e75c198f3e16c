// All steps of a recurrent layer in one kernel whose blocks share the units, in the emulation, where a block waits for the numbers of others.
#include "tenon/backend/cuda/grid_loop.hpp"

#include "support/check_loop.hpp"
#include "support/check_stage.hpp"
#include "support/crossed_cell.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {

using namespace nn;

// A backend whose loops run in blocks of so many units, with so many rows in a pass.
template <int Units, int Rows>
struct in_blocks : backend::cuda {};
template <class Loop, int Units, int Rows, class T>
void stage_loop(in_blocks<Units, Rows>, const backend::loop_steps& steps, int rows, const int* lengths,
                const backend::operand<const T>* states, const T* const* weights, const T* vectors,
                const backend::operand<const T>* loads, const backend::operand<T>* stores) {
  using named = typename backend::thrust_detail::named_by_words<Loop>::type;
  backend::cuda_detail::run_grid_loop_in<Units, Rows, named>(steps, rows, lengths, states, weights, vectors,
                                                             loads, stores);
}

TEST_CASE("an LSTM") {
  check_loops<cell_step<cells::lstm, 3, 20>, float, in_blocks<8, 1>>(4, 3);
  check_loops<cell_step<cells::lstm, 3, 37>, float, in_blocks<16, 2>>(3, 5);
  check_loops<cell_step<cells::lstm, 2, 12>, double, in_blocks<4, 4>>(3, 2);
}
TEST_CASE("a GRU") {
  check_loops<cell_step<cells::gru, 3, 20>, double, in_blocks<8, 4>>(4, 9);
  check_loops<cell_step<cells::gru, 3, 9>, float, in_blocks<64, 8>>(5, 1);
}
TEST_CASE("a cell of one's own") {
  check_loops<cell_step<crossed_cell, 3, 21>, float, in_blocks<8, 8>>(4, 9);
}
TEST_CASE("more rows than all groups of blocks have in a pass") {
  check_loop<cell_step<cells::lstm, 2, 9>, float, in_blocks<1, 2>>(3, 5, {3, 0, 1, 3, 2}, false);
  check_loop<cell_step<cells::lstm, 2, 9>, float, in_blocks<1, 1>>(3, 4, {}, true);
}
TEST_CASE("more blocks than run at the same time: a launch for each step") {
  check_loop<cell_step<cells::gru, 2, 17>, float, in_blocks<1, 2>>(3, 3, {3, 1, 2}, false);
  check_loop<cell_step<cells::gru, 2, 17>, float, in_blocks<1, 2>>(3, 3, {3, 1, 2}, true);
}
TEST_CASE("as many units and rows as the backend chooses") {
  check_loop<cell_step<cells::gru, 1, 256>>(2, 3, {2, 0, 1}, false);
  check_loop<cell_step<cells::lstm, 1, 257>>(2, 9, std::vector<int>(9, 2), true);
}
TEST_CASE("a training writes what it keeps") {
  check_loops<training_step<cells::lstm, 3, 20>, float, in_blocks<8, 2>>(4, 5);
}

}  // namespace tenon::test
