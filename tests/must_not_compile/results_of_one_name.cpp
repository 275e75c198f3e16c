// Two further results under one name.
// expect(g++): node \'y\': two results of the equation are named \'sum\'; give each a name of its own
// expect(clang): "node \'y\': two results of the"
// expect(clang): "equation are named \'sum\'; give"
// expect(clang): "each a name of its own"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct pooled {
#ifdef MISTAKE
  static constexpr auto at(auto x) { return with<"sum">(with<"sum">(x, sum(x)), sum<"time">(x)); }
#else
  static constexpr auto at(auto x) { return with<"total">(with<"sum">(x, sum(x)), sum<"time">(x)); }
#endif
};
using model =
    graph<"model", input<"x", features<4>, steps<6>>, node<"y", pooled, "x">, output<"y">, output<"y.sum">>;
static_assert(check<model>());
