// A loss with a function of std.
// expect(g++): node \'loss\': the equation of the loss cannot be evaluated at compile time; declare it constexpr, write tanh(x) for std::tanh(x), and select(c, x, y) for if
// expect(clang): "node \'loss\': the equation of the"
// expect(clang): "loss cannot be evaluated at"
// expect(clang): "compile time; declare it"
// expect(clang): "constexpr, write tanh(x) for"
// expect(clang): "std::tanh(x), and select(c, x, y)"
// expect(clang): "for if"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

#include <cmath>

using namespace tenon;
using namespace tenon::nn;

struct own_error {
#ifdef MISTAKE
  static constexpr auto at(auto y, auto target) { return std::abs(y - target); }
#else
  static constexpr auto at(auto y, auto target) { return abs(y - target); }
#endif
};
using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
static_assert(check<model, losses::mean_loss<own_error, "y">>());
