// A loss with a learned symbol.
// expect(g++): node \'loss\': the equation of a loss cannot have learned symbols, and this one has; compute them in a node of the graph
// expect(clang): "node \'loss\': the equation of a"
// expect(clang): "loss cannot have learned symbols,"
// expect(clang): "and this one has; compute them in"
// expect(clang): "a node of the graph"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own_error : equations::symbols {
#ifdef MISTAKE
  static constexpr auto at(auto y, auto target) { return square(W<>(y) - target); }
#else
  static constexpr auto at(auto y, auto target) { return square(y - target); }
#endif
};
using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
static_assert(check<model, losses::mean_loss<own_error, "y">>());
