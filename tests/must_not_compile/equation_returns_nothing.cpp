// An equation without a result.
// expect(g++): node \'y\': the equation must return one value; return what it computes, such as tanh(x)
// expect(clang): "node \'y\': the equation must return"
// expect(clang): "one value; return what it"
// expect(clang): "computes, such as tanh(x)"
#include <tenon/graph/graph.hpp>

using namespace tenon;

struct own : equations::symbols {
#ifdef MISTAKE
  static constexpr auto at(auto x) {
    tanh(W<"x", 4>(x));
  }
#else
  static constexpr auto at(auto x) {
    return tanh(W<"x", 4>(x));
  }
#endif
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
