// A loss that counts what is wrong: it has no gradient.
// expect(g++): node \'loss\': the loss has no gradient for \'y\': it does not read it, or only compares it; use its value, as in square(y - target)
// expect(clang): "node \'loss\': the loss has no"
// expect(clang): "gradient for \'y\': it does not read"
// expect(clang): "it, or only compares it; use its"
// expect(clang): "value, as in square(y - target)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own {
  static constexpr auto at(auto y, auto target) {
#ifdef MISTAKE
    return greater(abs(y - target), 0.5);
#else
    return greater(abs(y - target), 0.5) * abs(y - target);
#endif
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
static_assert(check<model, losses::mean_loss<own, "y">>());
