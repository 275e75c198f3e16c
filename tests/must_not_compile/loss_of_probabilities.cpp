// A loss fed with probabilities.
// expect(g++): node \'loss\': cross_entropy expects logits, got probabilities from \'y\'; name what enters the softmax
// expect(clang): "node \'loss\': cross_entropy expects"
// expect(clang): "logits, got probabilities from"
// expect(clang): "\'y\'; name what enters the softmax
#include <tenon/graph/graph.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">,
                    node<"y", activation::softmax, "logits">, output<"logits">, output<"y">>;

#ifdef MISTAKE
using loss = losses::cross_entropy<"y">;
#else
using loss = losses::cross_entropy<"logits">;
#endif
static_assert(check<model, loss>());
