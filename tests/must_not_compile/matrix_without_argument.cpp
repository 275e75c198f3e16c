// A matrix times a value, written as a product of two numbers.
// expect(g++): node \'y\': \'W<\"x\">\' is a matrix, and needs a value to multiply; write W<\"gate\">(x)
// expect(clang): "node \'y\': \'W<\"x\">\' is a matrix,"
// expect(clang): "and needs a value to multiply;"
// expect(clang): "write W<\"gate\">(x)"
#include <tenon/graph/graph.hpp>

using namespace tenon;

struct own : equations::symbols {
#ifdef MISTAKE
  static constexpr auto at(auto x) {
    return W<"x", 4> * x + b<"x">;
  }
#else
  static constexpr auto at(auto x) {
    return W<"x", 4>(x) + b<"x">;
  }
#endif
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
