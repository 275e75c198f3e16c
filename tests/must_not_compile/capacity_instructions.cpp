// An equation that is longer than a program.
// expect(g++): node \'y\': the equation has more than 512 instructions; make two nodes of it
// expect(clang): "node \'y\': the equation has more"
// expect(clang): "than 512 instructions; make two"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
constexpr int terms = 400;
#else
constexpr int terms = 40;
#endif
struct own {
  static constexpr auto at(auto x) {
    auto y = x;
    for (int k = 0; k < terms; ++k) y = y + tanh(y * (k + 2));
    return y;
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
