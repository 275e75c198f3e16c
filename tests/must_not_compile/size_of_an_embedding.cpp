// A table that no int counts.
// expect(g++): node \'y\': the graph\'s parameters are more than 2147483632 numbers from \'y.weight\'; write smaller sizes
// expect(clang): "node \'y\': the graph\'s parameters"
// expect(clang): "are more than 2147483632 numbers"
// expect(clang): "from \'y.weight\'; write smaller"
// expect(clang): "sizes"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model =
    graph<"model", input<"x", token<1000000>>, node<"y", embedding<1000000, 10000>, "x">, output<"y">>;
#else
using model =
    graph<"model", input<"x", token<1000000>>, node<"y", embedding<1000000, 100>, "x">, output<"y">>;
#endif
static_assert(check<model>());
