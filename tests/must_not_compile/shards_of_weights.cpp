// Parts of a batch under a loss that computes weights.
// expect(g++): node \'loss\': shards<2>: the loss computes weights, and no part knows those of the others; train in one part, or leave the weights out
// expect(clang): "node \'loss\': shards<2>: the loss"
// expect(clang): "computes weights, and no part"
// expect(clang): "knows those of the others; train"
// expect(clang): "in one part, or leave the weights"
// expect(clang): "out"
#include <tenon/tenon.hpp>

using namespace tenon;

struct own_error {
#ifdef MISTAKE
  static constexpr auto at(auto y, auto target) { return with<"weight">(square(y - target), sum(target)); }
#else
  static constexpr auto at(auto y, auto target) { return square(y - target); }
#endif
};
using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
void use(parameters<model>& theta) {
  trainer<model, mean_loss<own_error, "y">, sgd, batch<8>, shards<2>> train(theta);
  train.step();
}
