// A choice that an equation cannot make: no number is known yet.
// expect(g++): node \'y\': the equation cannot be evaluated at compile time; declare it constexpr, write tanh(x) for std::tanh(x), and select(c, x, y) for if
// expect(clang): "node \'y\': the equation cannot be"
// expect(clang): "evaluated at compile time; declare"
// expect(clang): "it constexpr, write tanh(x) for"
// expect(clang): "std::tanh(x), and select(c, x, y)"
// expect(clang): "for if"
#include <tenon/graph/graph.hpp>

using namespace tenon;

struct own {
#ifdef MISTAKE
  static constexpr auto at(auto x) {
    return x > 0 ? x : 0.1 * x;
  }
#else
  static constexpr auto at(auto x) {
    return select(x, x, 0.1 * x);
  }
#endif
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
