// A negative log-likelihood fed with what a linear layer gives.
// expect(g++): node \'loss\': nll expects log-probabilities, got logits from \'logits\'; put activation::log_softmax behind it, or write losses::cross_entropy
// expect(clang): "node \'loss\': nll expects
// expect(clang): "log-probabilities, got logits from"
// expect(clang): "\'logits\'; put"
// expect(clang): "activation::log_softmax behind it,"
// expect(clang): "or write losses::cross_entropy"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">,
                    node<"log_p", activation::log_softmax, "logits">, output<"logits">, output<"log_p">>;
#ifdef MISTAKE
using loss = losses::nll<"logits">;
#else
using loss = losses::nll<"log_p">;
#endif
static_assert(check<model, loss>());
