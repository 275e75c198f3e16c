// A convolution that sees no step.
// expect(g++): node \'y\': conv1d needs positive numbers of channels and of steps; write conv1d<channels, width>, or conv1d<channels, width, dilation<2>>
// expect(clang): "node \'y\': conv1d needs positive"
// expect(clang): "numbers of channels and of steps;"
// expect(clang): "write conv1d<channels, width>, or"
// expect(clang): "conv1d<channels, width,"
// expect(clang): "dilation<2>>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
using layer = conv1d<8, 0>;
#else
using layer = conv1d<8, 3>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
