// No window fits into the grid.
// expect(g++): node \'y\': max_pool2d: no window fits: it needs 6 places, got 5 from \'x\'; write smaller windows, or a padding<n>
// expect(clang): "node \'y\': max_pool2d: no window"
// expect(clang): "fits: it needs 6 places, got 5"
// expect(clang): "from \'x\'; write smaller windows,"
// expect(clang): "or a padding<n>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = max_pool2d<6, 2>;
#else
using layer = max_pool2d<5, 2>;
#endif
using model = graph<"model", input<"x", features<4>, grid<5, 6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
