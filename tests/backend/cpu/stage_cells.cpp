// Stages of other cells, of layers without time, and in double.
#include "support/check_stage.hpp"

using namespace tenon;
using namespace tenon::ir;
using namespace tenon::test;

TEST_CASE("other cells") {
  check_stage_rows<cell_step<nn::cells::gru, 3, 4>>();  // in half of a narrow vector
  check_stage_rows<cell_step<nn::cells::gru, 5, 9>>();
  check_stage_rows<cell_step<nn::cells::gru, 4, 13>>();
  check_stage_rows<cell_step<nn::cells::gru, 7, 32>>();
  check_stage_rows<cell_step<nn::cells::gru_cho, 7, 19>>();
  check_stage_rows<cell_step<nn::cells::rnn_tanh, 7, 40>>();
  check_stage_rows<cell_step<many_gates, 3, 20>>();
}
// Two matrices of one input in one sum.
struct doubled_gate : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    return tanh(W<"a">(x) + V<"a">(x) + U<"a">(h)) * sigmoid(W<"c">(x) + U<"c">(h));
  }
};
TEST_CASE("several columns of a product in one sum") {
  for (int rows : {1, 5}) {
    check_stage<cell_step<doubled_gate, 4, 3>, double>(1, rows, 2);
    check_stage<cell_step<doubled_gate, 4, 4>, double>(1, rows, 0);
    check_stage<cell_step<doubled_gate, 4, 24>, double>(1, rows, 0);
  }
}
TEST_CASE("in double") {
  check_stage_rows<cell_step<nn::cells::lstm, 3, 7>, double>();
  check_stage_rows<cell_step<nn::cells::lstm, 3, 4>, double>();
  check_stage_rows<cell_step<nn::cells::gru, 5, 17>, double>();
}
TEST_CASE("a layer without time") {
  check_stage_rows<layer<3, 5>>();
  check_stage_rows<layer<17, 16>>();
  check_stage_rows<layer<100, 50>>();
  check_stage_rows<layer<5, 99>>();  // two groups of vectors of units, the last one shorter
}
