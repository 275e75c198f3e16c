// A loss that does not say of which output.
// expect(g++): node \'loss\': cross_entropy names no node; name the node it reads: losses::cross_entropy<\"logits\">, losses::mse<\"y\">
// expect(clang): "node \'loss\': cross_entropy names"
// expect(clang): "no node; name the node it reads:"
// expect(clang): "losses::cross_entropy<\"logits\">,"
// expect(clang): "losses::mse<\"y\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"logits", linear<3>, "x">, output<"logits">>;
#ifdef MISTAKE
using objective = losses::cross_entropy<>;
#else
using objective = losses::cross_entropy<"logits">;
#endif
static_assert(check<model, objective>());
