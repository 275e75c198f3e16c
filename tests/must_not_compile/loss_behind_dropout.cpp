// A loss fed with probabilities, dropout in between.
// expect(g++): node \'loss\': cross_entropy expects logits, got probabilities from \'y.2\'; name what enters the softmax
// expect(clang): "node \'loss\': cross_entropy expects"
// expect(clang): "logits, got probabilities from"
// expect(clang): "\'y.2\'; name what enters the"
// expect(clang): "softmax"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layers_of_y = chain<linear<4>, activation::softmax, dropout<0.1>>;
#else
using layers_of_y = chain<linear<4>, dropout<0.1>>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layers_of_y, "x">, output<"y">>;
static_assert(check<model, losses::cross_entropy<"y">>());
