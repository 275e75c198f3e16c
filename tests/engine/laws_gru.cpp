// The laws of the GRU and of the simple RNN.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

TEST_CASE("GRU") {
  check_laws<over_time<gru<9>, 2, 3>>();
  check_laws<with_states<gru<2, bidirectional>, 3, 5>>();
}
TEST_CASE("GRU from a given state") {
  check_laws<graph<"given state", input<"x", features<3>, steps<4>>, input<"h0", features<7>>,
                   node<"y", gru<7>, "x", "h0">, output<"y.h_n">>>();
}
TEST_CASE("the simple RNN") {
  check_laws<over_time<recurrent<cells::rnn_relu, hidden<3>, no_bias>, 4, 4>>();
  check_laws<over_time<rnn<1>, 1, 2>>();
}

}  // namespace tenon::test
