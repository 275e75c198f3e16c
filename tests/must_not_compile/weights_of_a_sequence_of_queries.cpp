// The weights of attention with a query at each step.
// expect(g++): the output \'y.weights\' is no entry of the graph; name a node, or one of its outputs: states.h_n
// expect(clang): "the output \'y.weights\' is no entry"
// expect(clang): "of the graph; name a node, or one"
// expect(clang): "of its outputs: states.h_n"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

#ifdef MISTAKE
using query = input<"q", features<4>, steps<6, "target">>;
#else
using query = input<"q", features<4>>;
#endif
using model = graph<"model", query, input<"m", features<4>, steps<5, "source">>,
                    node<"y", attention<score::dot>, "q", "m">, output<"y">, output<"y.weights">>;
static_assert(check<model>());
