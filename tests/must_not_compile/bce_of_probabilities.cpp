// A loss that takes the sigmoid itself, fed with one.
// expect(g++): node \'loss\': bce_with_logits expects logits, got probabilities from \'y\'; name what enters the sigmoid
// expect(clang): "node \'loss\': bce_with_logits"
// expect(clang): "expects logits, got probabilities"
// expect(clang): "from \'y\'; name what enters the"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logit", linear<1>, "x">, node<"y", activation::sigmoid, "logit">,
                    output<"logit">, output<"y">>;

#ifdef MISTAKE
using loss = losses::bce_with_logits<"y">;
#else
using loss = losses::bce_with_logits<"logit">;
#endif
static_assert(check<model, loss>());
