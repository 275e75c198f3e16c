// A loss whose equation returns nothing.
// expect(g++): node \'loss\': the equation must return one value; return what it computes, such as tanh(x)
// expect(clang): "node \'loss\': the equation must"
// expect(clang): "return one value; return what it"
// expect(clang): "computes, such as tanh(x)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own {
  static constexpr auto at([[maybe_unused]] auto y, [[maybe_unused]] auto target) {
#ifdef MISTAKE
    (void)y;
#else
    return square(y - target);
#endif
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
static_assert(check<model, losses::mean_loss<own, "y">>());
