// A number where a symbol has its name.
// expect(g++): node \'y\': a symbol of an equation has a number where its name stands; write the name first, then how many rows: W<\"gate\", 3>(x), b<\"gate\">
// expect(clang): "node \'y\': a symbol of an equation"
// expect(clang): "has a number where its name"
// expect(clang): "stands; write the name first, then"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct own {
  static constexpr auto at(auto x) {
    using namespace equations;
#ifdef MISTAKE
    return tanh(W<3>(x));
#else
    return tanh(W<"h", 3>(x));
#endif
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
