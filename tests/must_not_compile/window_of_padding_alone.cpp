// A padding as wide as the window.
// expect(g++): node \'y\': conv1d has windows that lie outside altogether; write a padding below 3
// expect(clang): "node \'y\': conv1d has windows that"
// expect(clang): "lie outside altogether; write a"
// expect(clang): "padding below 3"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 3, padding<3>>;
#else
using layer = conv1d<8, 3, padding<2>>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
