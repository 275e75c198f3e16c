// A convolution along the steps of a row.
// expect(g++): node \'y\': conv1d expects a sequence, got one row without a time axis from \'x\'; give the input a steps<bound>
// expect(clang): "node \'y\': conv1d expects a"
// expect(clang): "sequence, got one row without a"
// expect(clang): "time axis from \'x\'; give the input"
// expect(clang): "a steps<bound>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using source = input<"x", features<4>>;
#else
using source = input<"x", features<4>, steps<6>>;
#endif
using model = graph<"model", source, node<"y", conv1d<8, 3>, "x">, output<"y">>;
static_assert(check<model>());
