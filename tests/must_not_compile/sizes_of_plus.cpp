// A sum of values of two sizes.
// expect(g++): node \'y\': elementwise operands differ: 8 features, got 5 from \'z\'; make both the same size, or one of size 1
// expect(clang): "node \'y\': elementwise operands"
// expect(clang): "differ: 8 features, got 5 from"
// expect(clang): "\'z\'; make both the same size, or"
// expect(clang): "one of size 1"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
struct own {
  static constexpr auto at(auto x, auto y) {
    return x + y;
  }
};
#else
struct own : equations::symbols {
  static constexpr auto at(auto x, auto y) {
    return x + W<>(y);
  }
};
#endif
using model =
    graph<"model", input<"x", features<8>>, input<"z", features<5>>, node<"y", own, "x", "z">, output<"y">>;
static_assert(check<model>());
