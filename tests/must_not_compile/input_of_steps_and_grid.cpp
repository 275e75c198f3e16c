// An input with two axes.
// expect(g++): node \'x\': the input says twice which axis it has; keep one of steps<bound> and grid<height, width>
// expect(clang): "node \'x\': the input says twice"
// expect(clang): "which axis it has; keep one of"
// expect(clang): "steps<bound> and grid<height,"
// expect(clang): "width>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using source = input<"x", features<4>, steps<6>, grid<2, 3>>;
#else
using source = input<"x", features<4>, grid<2, 3>>;
#endif
using model = graph<"model", source, node<"y", mean_over<>, "x">, output<"y">>;
static_assert(check<model>());
