// Two shares.
// expect(g++): node \'loss\': cross_entropy is given \'label_smoothing\' twice; keep one of them
// expect(clang): "node \'loss\': cross_entropy is"
// expect(clang): "given \'label_smoothing\' twice;"
// expect(clang): "keep one of them"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = losses::cross_entropy<"y", "target", losses::label_smoothing<0.1>, losses::label_smoothing<0.2>>;
#else
using objective = losses::cross_entropy<"y", "target", losses::label_smoothing<0.1>>;
#endif
static_assert(check<model, objective>());
