// Three weights for four classes.
// expect(g++): node \'loss\': cross_entropy has a weight for each class: 4 weights, got 3; list one number for each feature of the logits
// expect(clang): "node \'loss\': cross_entropy has a"
// expect(clang): "weight for each class: 4 weights,"
// expect(clang): "got 3; list one number for each"
// expect(clang): "feature of the logits"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using weights = losses::class_weights<1, 2, 3>;
#else
using weights = losses::class_weights<1, 2, 3, 4>;
#endif
using model = graph<"model", input<"x", features<4>>, node<"y", linear<4>, "x">, output<"y">>;
static_assert(check<model, losses::cross_entropy<"y", "target", weights>>());
