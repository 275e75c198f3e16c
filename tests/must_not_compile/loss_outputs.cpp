// A loss of two outputs, of which one is named.
// expect(g++): node \'loss\': mean_loss: \'likelihood\' takes 2 outputs and a target, got 1 name; name its outputs in the order of at(..), then the target, if it is not \"target\"
// expect(clang): "node \'loss\': mean_loss:"
// expect(clang): "\'likelihood\' takes 2 outputs and a"
// expect(clang): "target, got 1 name; name its"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct likelihood {
  static constexpr auto at(auto middle, auto log_variance, auto target) {
    return log_variance + square(target - middle) * exp(-log_variance);
  }
};
using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, node<"v", linear<2>, "x">,
                    output<"y">, output<"v">>;
#ifdef MISTAKE
using objective = losses::mean_loss<likelihood, "y">;
#else
using objective = losses::mean_loss<likelihood, "y", "v">;
#endif
static_assert(check<model, objective>());
