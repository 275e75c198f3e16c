// The laws of the LSTM, in both directions, stacked and from given states.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

TEST_CASE("LSTM in one direction") {
  check_laws<over_time<lstm<1>, 1, 1>>();
  check_laws<with_states<lstm<5>, 3, 4>>();
}
TEST_CASE("two layers of LSTM in both directions") {
  check_laws<with_states<lstm<8, bidirectional, layers<2>>, 2, 3>>();
}
TEST_CASE("LSTM from given states") {
  check_laws<graph<"given states", input<"x", features<2>, steps<3>>, input<"h0", layers<2>, features<3>>,
                   input<"c0", layers<2>, features<3>>,
                   node<"y", lstm<3, layers<2>, no_bias>, "x", "h0", "c0">, output<"y">, output<"y.c_n">>>();
}

}  // namespace tenon::test
