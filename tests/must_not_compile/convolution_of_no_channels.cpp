// A convolution into nothing.
// expect(g++): node \'y\': conv2d needs a positive number of channels; write conv1d<channels, width>, conv2d<channels, height, width>
// expect(clang): "node \'y\': conv2d needs a positive"
// expect(clang): "number of channels; write"
// expect(clang): "conv1d<channels, width>,"
// expect(clang): "conv2d<channels, height, width>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv2d<0, 3, 3>;
#else
using layer = conv2d<8, 3, 3>;
#endif
using model = graph<"model", input<"x", features<4>, grid<5, 6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
