// A target under the name of an input.
// expect(g++): node \'loss\': the loss adds an input named \'x\', and the graph has one; rename the graph\'s own, or name the target behind the output
// expect(clang): "node \'loss\': the loss adds an"
// expect(clang): "input named \'x\', and the graph has"
// expect(clang): "one; rename the graph\'s own, or"
// expect(clang): "name the target behind the output"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = losses::mse<"y", "x">;
#else
using objective = losses::mse<"y", "height">;
#endif
static_assert(check<model, objective>());
