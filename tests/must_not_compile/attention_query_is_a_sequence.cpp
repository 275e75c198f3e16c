// Attention with a query at every step.
// expect(g++): node \'y\': attention\'s query expects one row, got a sequence from \'x\'; reduce the time axis first: attention, or the \'.final\' state of a recurrent layer
// expect(clang): "node \'y\': attention\'s query"
// expect(clang): "expects one row, got a sequence"
// expect(clang): "from \'x\'; reduce the time axis"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

#ifdef MISTAKE
using query = input<"x", features<8>, steps<6>>;
#else
using query = input<"x", features<8>>;
#endif
using model = graph<"model", query, input<"states", features<8>, steps<6>>,
                    node<"y", attention<score::dot>, "x", "states">, output<"y">>;
static_assert(check<model>());
