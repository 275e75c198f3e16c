// A layer in the place of a loss.
// expect(g++): \'linear<2>\' is not an objective; write a loss such as losses::cross_entropy<\"logits\">, or void, then the options
// expect(clang): "\'linear<2>\' is not an objective;"
// expect(clang): "write a loss such as"
// expect(clang): "losses::cross_entropy<\"logits\">,"
// expect(clang): "or void, then the options"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = linear<2>;
#else
using objective = losses::mse<"y">;
#endif
static_assert(check<model, objective>());
