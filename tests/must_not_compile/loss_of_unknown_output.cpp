// A loss of an output that the graph does not have.
// expect(g++): node \'loss\': mse: no entry of the graph is named \'height\'; its outputs: \'y\'
// expect(clang): "node \'loss\': mse: no entry of the"
// expect(clang): "graph is named \'height\'; its"
// expect(clang): "outputs: \'y\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = losses::mse<"height">;
#else
using objective = losses::mse<"y">;
#endif
static_assert(check<model, objective>());
