// The laws of graphs: residuals, values that several nodes read, nested graphs, tied parameters, dropout.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/activation.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

TEST_CASE("a residual, and a value that three nodes read") {
  check_laws<graph<"shared", input<"x", features<4>, steps<3>>,
                   node<"a", residual<linear<6>, activation::tanh, linear<4>>, "x">,
                   node<"r", gru<2, bidirectional>, "a">, node<"q", linear<4>, "r.final">,
                   node<"c", attention<score::dot>, "q", "a">, node<"s", add, "a", "r">, output<"s">,
                   output<"c">, output<"a">>>();
}

using inner = graph<"inner", input<"v", features<3>, steps<4>>, node<"m", lstm<2>, "v">,
                    node<"k", linear<3>, "m">, output<"k">>;

TEST_CASE("a graph as a node, twice") {
  check_laws<graph<"nested", input<"x", features<3>, steps<4>>, node<"one", inner, "x">,
                   node<"two", inner, "one">, output<"two">, output<"one">>>();
}
TEST_CASE("tied parameters: an embedding that is also the output's matrix") {
  using G =
      graph<"tied", input<"t", token<6>, steps<3>>, node<"e", embedding<6, 4>, "t">, node<"h", gru<4>, "e">,
            node<"logits", linear<6>, "h">, tied<"e.weight", "logits.weight">, output<"logits">>;
  static_assert(parameters<G>::count() == 6 * 4 + 6 + 2 * (12 * 4 + 12));
  check_laws<G>();
}
using tower = graph<"tower", input<"x", features<3>, steps<4>>, node<"h", gru<2, bidirectional>, "x">,
                    node<"v", linear<3>, "h.final">, output<"v">>;
TEST_CASE("two towers that are one in all parameters") {
  using G = graph<"twins", input<"x", features<3>, steps<4, "left">>,
                  input<"z", features<3>, steps<4, "right">>, node<"one", tower, "x">,
                  node<"two", tower, "z">, tied<"one.*", "two.*">, output<"one">, output<"two">>;
  static_assert(parameters<G>::count() == parameters<tower>::count());
  check_laws<G>();
}
TEST_CASE("dropout between layers and as a node, its zeros held fixed") {
  check_laws<graph<"dropout", input<"x", features<3>, steps<3>>, node<"d", dropout<0.3>, "x">,
                   node<"y", rnn<3, bidirectional, layers<2>, dropout<0.5>>, "d">, output<"y">>>();
}

}  // namespace tenon::test
