// The size comes from the product, not from the function around it.
// expect(g++): node \'y\': elementwise operands differ: 8 features, got 3 from \'W<\"a\">\'; make both the same size, or one of size 1
// expect(clang): "node \'y\': elementwise operands"
// expect(clang): "differ: 8 features, got 3 from"
// expect(clang): "\'W<\"a\">\'; make both the same size,"
// expect(clang): "or one of size 1"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
struct own : equations::symbols {
  static constexpr auto at(auto x) {
    return tanh(W<"a", 3>(x)) + x;
  }
};
#else
struct own : equations::symbols {
  static constexpr auto at(auto x) {
    return tanh(W<"a", 8>(x)) + x;
  }
};
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
