// Attention over one row.
// expect(g++): node \'y\': attention\'s second source expects a sequence, got one row without a time axis from \'states\'; give the input a steps<bound>
// expect(clang): "node \'y\': attention\'s second"
// expect(clang): "source expects a sequence, got one"
// expect(clang): "row without a time axis from"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using states = input<"states", features<8>>;
#else
using states = input<"states", features<8>, steps<6>>;
#endif
using model = graph<"model", input<"x", features<8>>, states, node<"y", attention<score::dot>, "x", "states">,
                    output<"y">>;
static_assert(check<model>());
