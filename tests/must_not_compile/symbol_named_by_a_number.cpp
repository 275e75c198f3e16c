// A number where a symbol has its name.
// expect(g++): node \'y\': a symbol of an equation has a number instead of its name; write the name first, then how many rows: W<\"gate\", 3>(x), b<\"gate\">
// expect(clang): "node \'y\': a symbol of an equation"
// expect(clang): "has a number instead of its name;"
// expect(clang): "write the name first, then how"
// expect(clang): "many rows: W<\"gate\", 3>(x),"
// expect(clang): "b<\"gate\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct own : equations::symbols {
  static constexpr auto at(auto x) {
#ifdef MISTAKE
    return tanh(W<3>(x));
#else
    return tanh(W<"h", 3>(x));
#endif
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
