// The laws of multi-head attention: with fewer steps than a loop processes at once, and with more.
#include "tenon/nn/multi_head.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "support/sequences.hpp"

namespace tenon::test {
using namespace nn;

TEST_CASE("multi-head attention to another sequence") {
  check_laws<crossing<multi_head<4, 2>, 4, 4, 35, 3>>();
  check_laws<crossing<multi_head<6, 3>, 2, 5, 3, 4>>();
}
TEST_CASE("multi-head attention to itself") {
  check_laws<meeting_itself<multi_head<4, 2, is_causal>, 4, 18>>();
  check_laws<meeting_itself<multi_head<3, 1>, 3, 1>>();
}
TEST_CASE("multi-head attention of one feature") {
  check_laws<meeting_itself<multi_head<1, 1, is_causal>, 1, 2>>();
  static_assert(fits<crossing<multi_head<1, 1>, 1, 1, 3, 4>>);
}

using reading_weights =
    graph<"reading weights", input<"q", features<3>, steps<4, "target">>,
          input<"m", features<2>, steps<3, "source">>, node<"y", multi_head<4, 2>, "q", "m">,
          node<"z", linear<3>, "y.weights">, output<"y">, output<"z">>;
TEST_CASE("its weights, read by another node") { check_laws<reading_weights>(); }

}  // namespace tenon::test
