// An axis that is gone when it is reduced again.
// expect(g++): node \'y\': max<\"time\"> needs a value along this axis, got one without it from \'sum(...)\'; it has been reduced before, or comes from a source without the axis
// expect(clang): "node \'y\': max<\"time\"> needs a"
// expect(clang): "value along this axis, got one"
// expect(clang): "without it from \'sum(...)\'; it has"
// expect(clang): "been reduced before, or comes from"
// expect(clang): "a source without the axis"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct pooled {
#ifdef MISTAKE
  static constexpr auto at(auto x) { return max<"time">(sum<"time">(x)); }
#else
  static constexpr auto at(auto x) { return max<"time">(x) + sum<"time">(x); }
#endif
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", pooled, "x">, output<"y">>;
static_assert(check<model>());
