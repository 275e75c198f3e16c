// The axis of a row.
// expect(g++): node \'y\': along(x) is the axis of x, and x has none from \'q\'; name a value that varies from step to step
// expect(clang): "node \'y\': along(x) is the axis of"
// expect(clang): "x, and x has none from \'q\'; name a"
// expect(clang): "value that varies from step to"
// expect(clang): "step"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct pooled {
#ifdef MISTAKE
  static constexpr auto at(auto q, auto x) { return sum(softmax(dot(q, x), along(q)) * x, along(x)); }
#else
  static constexpr auto at(auto q, auto x) { return sum(softmax(dot(q, x), along(x)) * x, along(x)); }
#endif
};
using model = graph<"model", input<"q", features<4>>, input<"x", features<4>, steps<6>>,
                    node<"y", pooled, "q", "x">, output<"y">>;
static_assert(check<model>());
