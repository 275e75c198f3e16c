// Two shares.
// expect(g++): node \'loss\': cross_entropy is given \'losses::label_smoothing\' twice; keep one of them
// expect(clang): "given \'losses::label_smoothing\'"
// expect(clang): "twice; keep one of them"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
using objective =
    losses::cross_entropy<"y", "target", losses::label_smoothing<0.1>, losses::label_smoothing<0.2>>;
#else
using objective = losses::cross_entropy<"y", "target", losses::label_smoothing<0.1>>;
#endif
static_assert(check<model, objective>());
