// A loss of log-probabilities, fed with probabilities.
// expect(g++): node \'loss\': nll expects log-probabilities, got probabilities from \'p\'; write log_softmax in its place
// expect(clang): "node \'loss\': nll expects
// expect(clang): log-probabilities, got
// expect(clang): "probabilities from \'p\'; write"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using kind = activation::softmax;
#else
using kind = activation::log_softmax;
#endif
using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4, no_bias>, "x">, node<"p", kind, "logits">, output<"p">>;
static_assert(check<model, losses::nll<"p">>());
