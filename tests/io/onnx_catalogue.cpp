// Every layer of the catalogue as an ONNX file that tests/io/onnx.cpp and onnx_examples.cpp do not have.
// timeout: 300
#include "support/check_onnx.hpp"
#include "tenon/nn/adaptive_softmax.hpp"

namespace tenon::test {

template <class Cell, class... Options>
void check_cell(const char* operator_of_onnx = "Scan") {
  CHECK(check_onnx<of_steps<recurrent<Cell, hidden<7>, Options...>, 5, 7>>().nodes_of(operator_of_onnx) == 1);
}
TEST_CASE("cells") {
  check_cell<cells::mut1>();
  check_cell<cells::mut2>();
  check_cell<cells::mut3>();
  check_cell<cells::peephole_lstm>();
  check_cell<cells::lstm_f>();
  check_cell<cells::lstm_i>();
  check_cell<cells::lstm_o>();
  check_cell<cells::lstm_b>("LSTM");
  check_cell<cells::lstm, forget_bias<1>>("LSTM");
  check_cell<cells::gru, zoneout<0.1>>();
}
TEST_CASE("a step of a cell") {
  using step = graph<"step", input<"x", features<5>>, input<"h", features<7>>, input<"c", features<7>>,
                     node<"y", cell_step<cells::lstm, hidden<7>>, "x", "h", "c">, output<"y">,
                     output<"y.h_n">, output<"y.c_n">>;
  check_onnx<step>();
}

template <class Score>
using attending = graph<"attending", input<"x", features<5>, steps<7>>, input<"q", features<5>>,
                        node<"y", attention<Score>, "q", "x">, output<"y">>;
template <class Layer>
using of_two = graph<"of_two", input<"x", features<6>, steps<7>>, input<"z", features<6>, steps<5, "other">>,
                     node<"y", Layer, "x", "z">, output<"y">>;
TEST_CASE("attention") {
  check_onnx<attending<score::dot>>();
  check_onnx<attending<score::multiplicative>>();
  check_onnx<attending<score::additive<3>>>();
  check_onnx<attending<score::scaled_dot<3>>>();
  check_onnx<of_two<attention<score::additive<3>>>>();
  check_onnx<of_two<multi_head<6, 2>>>();
  check_onnx<of_two<transformer_decoder<6, 3, 11>>>();
}
TEST_CASE("what becomes of all steps") {
  check_onnx<of_steps<sum_over<>>>();
  check_onnx<of_steps<mean_over<>>>();
  check_onnx<of_steps<max_over<>>>();
  check_onnx<of_steps<first_over<>>>();
  check_onnx<of_steps<last_over<>>>();
  check_onnx<of_steps<attention_over<3>>>();
}
TEST_CASE("activations, positions, norms, dropouts") {
  check_onnx<of_steps<chain<activation::sigmoid, linear<5>, activation::softplus>>>();
  check_onnx<of_steps<chain<activation::relu, linear<5>, activation::softmax>>>();
  check_onnx<of_steps<chain<sinusoidal_positions<12>, residual<linear<12>>>, 12, 7>>();
  check_onnx<of_steps<chain<learned_positions<7>, layer_norm>>>();
  check_onnx<of_steps<chain<dropout<0.5>, variational_dropout<0.3>, linear<5>>>>();
}
TEST_CASE("classes by their frequency") {
  using words =
      graph<"words", input<"x", features<16>>, node<"y", adaptive_softmax<31, 7, 17>, "x">, output<"y">>;
  check_onnx<words>();
}
TEST_CASE("vectors that are learned, values side by side, a grid in one row") {
  using started = graph<"started", input<"x", features<5>, steps<7>>, node<"h0", learned_vector<3>>,
                        node<"y", gru<3>, "x", "h0">, node<"both", concatenate, "x", "y">,
                        node<"sum", add, "y", "y">, output<"both">, output<"sum">>;
  check_onnx<started>();
  using board =
      graph<"board", input<"x", features<5>, grid<2, 3>>, node<"c", conv2d<4, 3, 3, same_padding>, "x">,
            node<"f", flatten, "c">, output<"c">, output<"f">>;
  const onnx::interpreter flat = check_onnx<board>();
  CHECK(flat.nodes_of("Conv") == 1);
  CHECK(flat.nodes_of("Slice") == 0);
}

}  // namespace tenon::test
