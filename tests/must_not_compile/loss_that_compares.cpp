// A loss that counts what is wrong: it has no gradient.
// expect(g++): node \'loss\': nothing is learned from the loss: it does not read the output, or only compares it from \'y\'; use its value, as in square(y - target)
// expect(clang): "node \'loss\': nothing is learned"
// expect(clang): "from the loss: it does not read"
// expect(clang): "the output, or only compares it"
// expect(clang): "from \'y\'; use its value, as in"
// expect(clang): "square(y - target)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;

struct own {
  static constexpr auto at(auto y, auto target) {
    using namespace equations;
#ifdef MISTAKE
    return greater(abs(y - target), 0.5);
#else
    return greater(abs(y - target), 0.5) * abs(y - target);
#endif
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
static_assert(check<model, mean_loss<own, "y">>());
