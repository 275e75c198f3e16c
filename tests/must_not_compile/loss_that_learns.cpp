// A loss with a learned symbol.
// expect(g++): node \'loss\': an equation of a loss learns nothing, and this one has learned symbols; compute them in a node of the graph
// expect(clang): "node \'loss\': an equation of a loss"
// expect(clang): "learns nothing, and this one has"
// expect(clang): "learned symbols; compute them in a"
// expect(clang): "node of the graph"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct own_error {
#ifdef MISTAKE
  static constexpr auto at(auto y, auto target) { return square(equations::W<>(y) - target); }
#else
  static constexpr auto at(auto y, auto target) { return square(y - target); }
#endif
};
using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
static_assert(check<model, losses::mean_loss<own_error, "y">>());
