// A name where a matrix has its number of rows.
// expect(g++): node \'y\': a matrix has a name instead of its number of rows; write W<\"gate\", rows>(x), or leave the rows out
// expect(clang): "node \'y\': a matrix has a name"
// expect(clang): "instead of its number of rows;"
// expect(clang): "write W<\"gate\", rows>(x), or leave"
// expect(clang): "the rows out"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct own : equations::symbols {
  static constexpr auto at(auto x) {
#ifdef MISTAKE
    return tanh(W<"h", "4">(x));
#else
    return tanh(W<"h", 4>(x));
#endif
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
