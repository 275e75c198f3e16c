// A loss fed with the probabilities that a nested graph delivers.
// expect(g++): node \'loss\': cross_entropy expects logits, got probabilities from \'y.p\'; name what enters the softmax
// expect(clang): "node \'loss\': cross_entropy expects"
// expect(clang): "logits, got probabilities from"
// expect(clang): "\'y.p\'; name what enters the"
// expect(clang): "softmax"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

using head = graph<"head", input<"x", features<8>>, node<"logits", linear<4>, "x">,
                   node<"p", activation::softmax, "logits">, output<"p">>;
using model = graph<"model", input<"x", features<8>>, node<"y", head, "x">, output<"y">, output<"y.logits">>;
#ifdef MISTAKE
using loss = losses::cross_entropy<"y">;
#else
using loss = losses::cross_entropy<"y.logits">;
#endif
static_assert(check<model, loss>());
