// A negative log-likelihood fed with probabilities, of which it takes no logarithm.
// expect(g++): node \'loss\': nll expects log-probabilities, got probabilities from \'y\'; take the log_softmax of what enters the softmax
// expect(clang): "node \'loss\': nll expects
// expect(clang): "log-probabilities, got"
// expect(clang): "probabilities from \'y\'; take the"
// expect(clang): "log_softmax of what enters the"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using last = activation::softmax;
#else
using last = activation::log_softmax;
#endif
using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">,
                    node<"y", last, "logits">, output<"y">>;
static_assert(check<model, losses::nll<"y">>());
