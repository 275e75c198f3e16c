// A convolution over lines and places, of a sequence.
// expect(g++): node \'y\': conv2d goes over a grid, got a sequence from \'x\'; give the input a grid<height, width>
// expect(clang): "node \'y\': conv2d goes over a grid,"
// expect(clang): "got a sequence from \'x\'; give the"
// expect(clang): "input a grid<height, width>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv2d<8, 3, 3>;
#else
using layer = conv1d<8, 3>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
