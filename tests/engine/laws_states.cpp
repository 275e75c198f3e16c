// The laws of states: of different sizes, and of a single step.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/cell_step.hpp"

namespace tenon::test {

struct looking {
  static constexpr auto step(auto y, auto s, auto memory) {
    using namespace equations;
    const auto found = sum<"source">(softmax<"source">(dot(s, W<"a">(memory))) * memory);
    return tanh(W<"y">(y) + U<"y">(s) + V<"y">(found));
  }
};
// States of two sizes: a wide memory, and what is said of it (LSTMP: Sak, Senior and Beaufays 2014).
struct projected_lstm {
  static constexpr auto step(auto x, auto r, auto c) {
    using namespace equations;
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
                   node<"y", recurrent<projected_lstm, hidden<3, 4>, both_directions>, "x", "r", "c">,
                   output<"y">, output<"y.final">, output<"y.h_n">>>();
}

TEST_CASE("one step") {
  check_laws<
      graph<"alone", input<"x", features<2>>, input<"h", features<3>>, input<"c", features<3>>,
            node<"y", cell_step<lstm_cell, hidden<3>>, "x", "h", "c">, output<"y">, output<"y.c_n">>>();
  check_laws<graph<"with memory", input<"x", features<2>>, input<"s", features<3>>,
                   input<"m", features<2>, steps<4, "source">>,
                   node<"y", cell_step<looking, hidden<3>>, "x", "s", "m">, output<"y.h_n">>>();
  check_laws<graph<"at each step", input<"x", features<2>, steps<3, "target">>, input<"s", features<3>>,
                   input<"m", features<2>, steps<4, "source">>,
                   node<"y", cell_step<looking, hidden<3>>, "x", "s", "m">, output<"y">>>();
}

}  // namespace tenon::test
