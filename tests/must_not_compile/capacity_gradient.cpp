// An equation whose gradient is longer than a program: said where the objective is known.
// expect(g++): node \'y\': the equation and its gradient have more than 512 instructions; make two nodes of it
// expect(clang): "node \'y\': the equation and its"
// expect(clang): "gradient have more than 512"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;

#ifdef MISTAKE
constexpr int terms = 60;
#else
constexpr int terms = 12;
#endif
struct own : equations::symbols {
  static constexpr auto at(auto x) {
    auto y = W<>(x);
    for (int k = 0; k < terms; ++k) y = y + tanh(y * (k + 2)) * sigmoid(x + k);
    return y;
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model, losses::cross_entropy<"y">>());
