// An option of cross_entropy for another loss.
// expect(g++): node \'loss\': mse has no option \'losses::class_weights<1, 2, 2>\'; leave it out: it has none
// expect(clang): "\'losses::class_weights<1, 2, 2>\';"
// expect(clang): "leave it out: it has none"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = losses::mse<"y", "target", losses::class_weights<1, 2, 2>>;
#else
using objective = losses::mse<"y", "target">;
#endif
static_assert(check<model, objective>());
