// A loss that names both what leaves positions out and what does not.
// expect(g++): node \'loss\': the equation of a loss has both a count and a divisor, expected one of them; positions of count 0 are left out, those of divisor 0 keep their loss
// expect(clang): "node \'loss\': the equation of a"
// expect(clang): "loss has both a count and a"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own_error {
  static constexpr auto at(auto y, auto target) {
    const auto known = greater(target, 0);
#ifdef MISTAKE
    return with<"count">(with<"divisor">(square(y - target), known), known);
#else
    return with<"divisor">(square(y - target), known);
#endif
  }
};
using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
static_assert(check<model, losses::mean_loss<own_error, "y">>());
