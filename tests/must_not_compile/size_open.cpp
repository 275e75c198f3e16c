// A product whose rows nothing determines.
// expect(g++): node \'y\': the size of \'W\' is open; write the rows down, W<\"gate\", rows>(x), or use it beside a known size
// expect(clang): "node \'y\': the size of \'W\' is open;"
// expect(clang): "write the rows down, W<\"gate\","
// expect(clang): "rows>(x), or use it beside a known"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
struct own : equations::symbols {
  static constexpr auto at(auto x) {
    return tanh(W<>(x));
  }
};
#else
struct own : equations::symbols {
  static constexpr auto at(auto x) {
    return tanh(W<"", 3>(x));
  }
};
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
