// A loss fed with the logarithm of a softmax that an equation spells out.
// expect(g++): node \'loss\': cross_entropy expects logits, got log-probabilities from \'y\'; name what enters the log_softmax: the loss takes it itself
// expect(clang): "node \'loss\': cross_entropy expects"
// expect(clang): "logits, got log-probabilities from"
// expect(clang): "\'y\'; name what enters the"
// expect(clang): "log_softmax: the loss takes it"
// expect(clang): "itself"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

struct log_of_shares {
  static constexpr auto at(auto x) {
    auto e = exp(x);
    return log(e / sum(e));
  }
};
using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">,
                    node<"y", log_of_shares, "logits">, output<"logits">, output<"y">>;
#ifdef MISTAKE
using loss = losses::cross_entropy<"y">;
#else
using loss = losses::cross_entropy<"logits">;
#endif
static_assert(check<model, loss>());
