// A loss fed with log-probabilities, the last part of a chain.
// expect(g++): node \'loss\': cross_entropy expects logits, got log-probabilities from \'y.1\'; name what enters the log_softmax: the loss takes it itself
// expect(clang): "node \'loss\': cross_entropy expects"
// expect(clang): "logits, got log-probabilities from"
// expect(clang): "\'y.1\'; name what enters the"
// expect(clang): "log_softmax: the loss takes it"
// expect(clang): "itself"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layers_of_y = chain<linear<4>, activation::log_softmax>;
#else
using layers_of_y = chain<linear<4>, activation::tanh>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layers_of_y, "x">, output<"y">>;
static_assert(check<model, losses::cross_entropy<"y">>());
