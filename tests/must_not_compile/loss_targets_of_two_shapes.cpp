// Two losses with one target of two shapes.
// expect(g++): node \'loss\': the loss adds an input named \'target\', and another loss adds one of another shape; name the target behind the output: losses::mse<\"y\", \"height\">
// expect(clang): "node \'loss\': the loss adds an"
// expect(clang): "input named \'target\', and another"
// expect(clang): "loss adds one of another shape;"
// expect(clang): "name the target behind the output:"
// expect(clang): "losses::mse<\"y\", \"height\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, node<"z", linear<3>, "x">,
                    output<"y">, output<"z">>;
#ifdef MISTAKE
using objective = losses::sum_of<losses::mse<"y">, losses::mse<"z">>;
#else
using objective = losses::sum_of<losses::mse<"y">, losses::mse<"z", "depth">>;
#endif
static_assert(check<model, objective>());
