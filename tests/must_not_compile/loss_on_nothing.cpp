// A loss on a node that does not exist.
// expect(g++): node \'loss\': cross_entropy: no entry of the graph is named \'logit\'; did you mean \'logits\'?
// expect(clang): "node \'loss\': cross_entropy: no"
// expect(clang): "entry of the graph is named"
// expect(clang): "\'logit\'; did you mean \'logits\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using loss = losses::cross_entropy<"logit">;
#else
using loss = losses::cross_entropy<"logits">;
#endif
using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
static_assert(check<model, loss>());
