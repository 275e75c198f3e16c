// An objective that returns the logits: there would be nothing to minimise.
// expect(g++): objective \'own\' returns no loss; return what a loss returns: losses::mse<\"y\">::build(b)
// expect(clang): "objective \'own\' returns no loss;"
// expect(clang): "return what a loss returns:"
// expect(clang): "losses::mse<\"y\">::build(b)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
struct own {
  static constexpr int build(builder& b) { return b.find_output("logits"); }
};
#else
struct own {
  static constexpr int build(builder& b) { return losses::cross_entropy<"logits">::build(b); }
};
#endif
static_assert(check<model, own>());
