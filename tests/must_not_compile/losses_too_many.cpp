// Nine losses in one objective.
// expect(g++): node \'loss\': the objective has more than 8 losses; add two of them up in one equation
// expect(clang): "node \'loss\': the objective has"
// expect(clang): "more than 8 losses; add two of"
// expect(clang): "them up in one equation"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
using two = losses::sum_of<losses::mse<"y">, losses::l1<"y">>;
#ifdef MISTAKE
using objective = losses::sum_of<two, two, two, two, losses::l1<"y">>;
#else
using objective = losses::sum_of<two, two, two, two>;
#endif
static_assert(check<model, objective>());
