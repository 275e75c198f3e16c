// A convolution along a sequence, of an image.
// expect(g++): node \'y\': conv1d goes along a sequence, got a grid from \'x\'; write height and width of the windows
// expect(clang): "node \'y\': conv1d goes along a"
// expect(clang): "sequence, got a grid from \'x\';"
// expect(clang): "write height and width of the"
// expect(clang): "windows"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 3>;
#else
using layer = conv2d<8, 3, 3>;
#endif
using model = graph<"model", input<"x", features<4>, grid<5, 6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
