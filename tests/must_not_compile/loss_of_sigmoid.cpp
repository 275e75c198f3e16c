// A binary cross-entropy, which takes the sigmoid itself, fed with one.
// expect(g++): node \'loss\': bce_with_logits expects logits, got probabilities from \'y\'; name what enters the sigmoid: the loss takes it itself
// expect(clang): "node \'loss\': bce_with_logits
// expect(clang): "expects logits, got probabilities"
// expect(clang): "from \'y\'; name what enters the"
// expect(clang): "sigmoid: the loss takes it itself"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">,
                    node<"y", activation::sigmoid, "logits">, output<"logits">, output<"y">>;
#ifdef MISTAKE
using loss = losses::bce_with_logits<"y">;
#else
using loss = losses::bce_with_logits<"logits">;
#endif
static_assert(check<model, loss>());
