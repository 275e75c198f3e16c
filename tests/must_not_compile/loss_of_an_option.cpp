// An option of a loss among the losses.
// expect(g++): sum_of_losses is made of losses, and \'ignored<0>\' is none; write losses such as mse<\"y\">
// expect(clang): "sum_of_losses is made of losses,"
// expect(clang): "and \'ignored<0>\' is none; write"
// expect(clang): "losses such as mse<\"y\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = sum_of_losses<cross_entropy<"y", "class">, ignored<0>>;
#else
using objective = sum_of_losses<cross_entropy<"y", "class", ignored<0>>, mse<"y">>;
#endif
static_assert(check<model, objective>());
