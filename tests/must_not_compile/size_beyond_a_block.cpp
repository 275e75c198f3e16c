// Parameters that no int counts.
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
using model = graph<"model", input<"x", features<100000>>, node<"y", linear<100000>, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", features<1000>>, node<"y", linear<1000>, "x">, output<"y">>;
#endif
static_assert(check<model>());
