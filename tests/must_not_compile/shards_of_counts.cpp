// Parts of a batch under a loss that computes weights.
// expect(g++): node \'loss\': shards<2>: the loss says what a position counts, and no part knows the others\' sum; train in one part, or leave the count out
// expect(clang): "node \'loss\': shards<2>: the loss"
// expect(clang): "says what a position counts, and"
// expect(clang): "no part knows the others\' sum;"
// expect(clang): "train in one part, or leave the"
// expect(clang): "count out"
#include <tenon/tenon.hpp>

using namespace tenon;

struct own_error {
#ifdef MISTAKE
  static constexpr auto at(auto y, auto target) { return with<"count">(square(y - target), sum(target)); }
#else
  static constexpr auto at(auto y, auto target) { return square(y - target); }
#endif
};
using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
void use(parameters<model>& theta) {
  trainer<model, mean_loss<own_error, "y">, sgd, batch<8>, shards<2>> train(theta);
  train.step();
}
