// An option of a loss among the losses.
// expect(g++): sum_of expects losses, and \'losses::ignored<0>\' is not one; write losses such as losses::mse<\"y\">
// expect(clang): "sum_of expects losses, and"
// expect(clang): "\'losses::ignored<0>\' is not one;"
// expect(clang): "write losses such as"
// expect(clang): "losses::mse<\"y\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = losses::sum_of<losses::cross_entropy<"y", "class">, losses::ignored<0>>;
#else
using objective = losses::sum_of<losses::cross_entropy<"y", "class", losses::ignored<0>>, losses::mse<"y">>;
#endif
static_assert(check<model, objective>());
