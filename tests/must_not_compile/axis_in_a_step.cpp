// A cell whose step sums over time.
// expect(g++): node \'y\': sum<\"time\"> goes along a sequence, and what it is given is none from \'W\'; give an input a steps<bound>; a cell\'s step sees one step alone
// expect(clang): "node \'y\': sum<\"time\"> goes along a"
// expect(clang): "sequence, and what it is given is"
// expect(clang): "none from \'W\'; give an input a"
// expect(clang): "steps<bound>; a cell\'s step sees"
// expect(clang): "one step alone"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct cell {
#ifdef MISTAKE
  static constexpr auto step(auto x, auto h) {
    return tanh(sum<"time">(equations::W<>(x)) + equations::U<>(h));
  }
#else
  static constexpr auto step(auto x, auto h) { return tanh(equations::W<>(x) + equations::U<>(h)); }
#endif
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", recurrent<cell, hidden<4>>, "x">,
                    output<"y">>;
static_assert(check<model>());
