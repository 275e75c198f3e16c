// The same in an equation.
// expect(g++): node \'y\': dropout has no option \'layers<2>\'; leave it out: it has none
// expect(clang): "node \'y\': dropout has no option"
// expect(clang): "\'layers<2>\'; leave it out: it has"
// expect(clang): "none"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct halved {
#ifdef MISTAKE
  static constexpr auto at(auto x) { return x + dropout<0.5, layers<2>>(x); }
#else
  static constexpr auto at(auto x) { return x + dropout<0.5>(x); }
#endif
};
using model = graph<"model", input<"x", features<8>>, node<"y", halved, "x">, output<"y">>;
static_assert(check<model>());
