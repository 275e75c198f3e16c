// A loss that takes no target.
// expect(g++): node \'loss\': mean_loss: \'own_error\' has no static at(auto y, auto target) that compiles; mend it, or write losses::mse<\"y\">
// expect(clang): "node \'loss\': mean_loss:"
// expect(clang): "\'own_error\' has no static at(auto"
// expect(clang): "y, auto target) that compiles;"
// expect(clang): "mend it, or write losses::mse<\"y\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own_error {
#ifdef MISTAKE
  static constexpr auto at(auto y) { return square(y); }
#else
  static constexpr auto at(auto y, auto target) { return square(y - target); }
#endif
};
using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
static_assert(check<model, losses::mean_loss<own_error, "y">>());
