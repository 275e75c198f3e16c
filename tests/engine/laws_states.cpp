// The laws of states of different sizes.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

// States of two sizes: a wide memory, and its projection (LSTMP: Sak, Senior and Beaufays 2014).
struct projected_lstm : equations::symbols {
  static constexpr auto step(auto x, auto r, auto c) {
    const auto next_c = sigmoid(W<"f">(x) + U<"f">(r) + b<"f">) * c +
                        sigmoid(W<"i">(x) + U<"i">(r)) * tanh(W<"g">(x) + U<"g">(r));
    return next(matrix<"P">(sigmoid(W<"o">(x) + U<"o">(r)) * tanh(next_c)), next_c);
  }
};
TEST_CASE("states of different sizes") {
  check_laws<graph<"projected", input<"x", features<2>, steps<4>>,
                   node<"y", recurrent<projected_lstm, hidden<2, 5>, layers<2>>, "x">, output<"y">,
                   output<"y.c_n">>>();
  check_laws<graph<"both ways", input<"x", features<2>, steps<3>>, input<"r", features<3>, layers<2>>,
                   input<"c", features<4>, layers<2>>,
                   node<"y", recurrent<projected_lstm, hidden<3, 4>, bidirectional>, "x", "r", "c">,
                   output<"y">, output<"y.final">, output<"y.h_n">>>();
}

}  // namespace tenon::test
