// One weight for a sequence, whose steps have losses.
// expect(g++): node \'loss\': what a position counts is one number, at each position that has a loss; reduce it as the loss is reduced
// expect(clang): "node \'loss\': what a position"
// expect(clang): "counts is one number, at each"
// expect(clang): "position that has a loss; reduce"
// expect(clang): "it as the loss is reduced"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own_error {
  static constexpr auto at(auto y, auto target) {
#ifdef MISTAKE
    return with<"count">(square(y - target), sum<"time">(target));
#else
    return with<"count">(square(y - target), sum(target));
#endif
  }
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", linear<2>, "x">, output<"y">>;
static_assert(check<model, losses::mean_loss<own_error, "y">>());
