// The laws of a single step of a cell.
#include "tenon/nn/cell_step.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"

namespace tenon::test {
using namespace nn;

struct looking : equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto found = sum<"source">(softmax<"source">(dot(s, W<"a">(memory))) * memory);
    return tanh(W<"y">(y) + U<"y">(s) + V<"y">(found));
  }
};
TEST_CASE("one step") {
  check_laws<
      graph<"alone", input<"x", features<2>>, input<"h", features<3>>, input<"c", features<3>>,
            node<"y", cell_step<cells::lstm, hidden<3>>, "x", "h", "c">, output<"y">, output<"y.c_n">>>();
  check_laws<graph<"with memory", input<"x", features<2>>, input<"s", features<3>>,
                   input<"m", features<2>, steps<4, "source">>,
                   node<"y", cell_step<looking, hidden<3>>, "x", "s", "m">, output<"y.h_n">>>();
  check_laws<graph<"at each step", input<"x", features<2>, steps<3, "target">>, input<"s", features<3>>,
                   input<"m", features<2>, steps<4, "source">>,
                   node<"y", cell_step<looking, hidden<3>>, "x", "s", "m">, output<"y">>>();
}

}  // namespace tenon::test
