// Attention on what another node has made of one row.
// expect(g++): node \'y\': attention\'s second source expects a sequence, got one row without a time axis from \'h\'; name a source that keeps the steps of an input with steps<bound>
// expect(clang): "node \'y\': attention\'s second"
// expect(clang): "source expects a sequence, got one"
// expect(clang): "row without a time axis from \'h\';"
// expect(clang): "name a source that keeps the steps"
// expect(clang): "of an input with steps<bound>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"h", linear<8>, "x">,
                    node<"y", attention<score::dot>, "x", "h">, output<"y">>;
#else
using model = graph<"model", input<"q", features<8>>, input<"x", features<8>, steps<6>>,
                    node<"h", linear<8>, "x">, node<"y", attention<score::dot>, "q", "h">, output<"y">>;
#endif
static_assert(check<model>());
