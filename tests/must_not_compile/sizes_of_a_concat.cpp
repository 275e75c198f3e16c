// The size comes from the concat, not from the sigmoid around it.
// expect(g++): node \'y\': elementwise operands differ: 8 features, got 7 from \'concat(...)\'; make both the same size, or one of size 1
// expect(clang): "node \'y\': elementwise operands"
// expect(clang): "differ: 8 features, got 7 from"
// expect(clang): "\'concat(...)\'; make both the same"
// expect(clang): "size, or one of size 1"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
struct own : equations::symbols {
  static constexpr auto at(auto x) {
    return sigmoid(concat(W<"a", 3>(x), W<"b", 4>(x))) * W<"c", 8>(x);
  }
};
#else
struct own : equations::symbols {
  static constexpr auto at(auto x) {
    return sigmoid(concat(W<"a", 3>(x), W<"b", 4>(x))) * W<"c", 7>(x);
  }
};
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
