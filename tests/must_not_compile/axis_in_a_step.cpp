// A cell whose step sums over time.
// expect(g++): node \'y\': sum<\"time\"> needs a sequence, got none from \'W\'; give an input a steps<bound>; a cell\'s step reads only one step
// expect(clang): "node \'y\': sum<\"time\"> needs a"
// expect(clang): "sequence, got none from \'W\'; give"
// expect(clang): "an input a steps<bound>; a cell\'s"
// expect(clang): "step reads only one step"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct cell : equations::symbols {
#ifdef MISTAKE
  static constexpr auto step(auto x, auto h) {
    return tanh(sum<"time">(W<>(x)) + U<>(h));
  }
#else
  static constexpr auto step(auto x, auto h) { return tanh(W<>(x) + U<>(h)); }
#endif
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", recurrent<cell, hidden<4>>, "x">,
                    output<"y">>;
static_assert(check<model>());
