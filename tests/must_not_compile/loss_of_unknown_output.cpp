// A loss of an output that the graph does not have.
// expect(g++): node \'loss\': mean_loss: no entry of the graph is named \'height\'; name the node that the loss is taken of
// expect(clang): "node \'loss\': mean_loss: no entry"
// expect(clang): "of the graph is named \'height\';"
// expect(clang): "name the node that the loss is"
// expect(clang): "taken of"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = losses::mse<"height">;
#else
using objective = losses::mse<"y">;
#endif
static_assert(check<model, objective>());
