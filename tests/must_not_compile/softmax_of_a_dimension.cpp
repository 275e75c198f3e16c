// A softmax with the number of a dimension, as other libraries have it.
// expect(g++): node \'y\': softmax takes 1 value, got 2; it goes over the features; along a sequence write softmax<\"time\">(x)
// expect(clang): "node \'y\': softmax takes 1 value,"
// expect(clang): "got 2; it goes over the features;"
// expect(clang): "along a sequence write"
// expect(clang): "softmax<\"time\">(x)"
#include <tenon/graph/graph.hpp>

using namespace tenon;

struct own {
  static constexpr auto at(auto x) {
#ifdef MISTAKE
    return softmax(x, -1);
#else
    return softmax(x);
#endif
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
