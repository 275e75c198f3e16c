// A grid without places.
// expect(g++): node \'x\': grid<height, width> needs positive sizes; grid<28, 28>
// expect(clang): "node \'x\': grid<height, width>"
// expect(clang): "needs positive sizes; grid<28, 28>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using places = grid<0, 6>;
#else
using places = grid<5, 6>;
#endif
using model = graph<"model", input<"x", features<4>, places>, node<"y", mean_over<>, "x">, output<"y">>;
static_assert(check<model>());
