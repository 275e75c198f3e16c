// The output is called y.
// expect(g++): node \'loss\': mse: no entry of the graph is named \'yy\'; did you mean \'y\'?
// expect(clang): "node \'loss\': mse: no entry of the"
// expect(clang): "graph is named \'yy\'; did you mean"
// expect(clang): "\'y\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = losses::mse<"yy">;
#else
using objective = losses::mse<"y">;
#endif
static_assert(check<model, objective>());
