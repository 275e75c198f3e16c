// A convolution that sees no step.
// expect(g++): node \'y\': conv1d needs positive sizes, strides and dilations; write positive numbers: windows of 3 places, stride<2>, dilation<2>
// expect(clang): "node \'y\': conv1d needs positive"
// expect(clang): "sizes, strides and dilations;"
// expect(clang): "write positive numbers: windows of"
// expect(clang): "3 places, stride<2>, dilation<2>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 0>;
#else
using layer = conv1d<8, 3>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
