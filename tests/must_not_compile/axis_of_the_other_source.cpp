// A maximum over time of the source that has no time.
// expect(g++): node \'y\': max<\"time\"> needs a value along this axis, got one without it from \'q\'; it has been reduced before, or comes from a source without the axis
// expect(clang): "node \'y\': max<\"time\"> needs a"
// expect(clang): "value along this axis, got one"
// expect(clang): "without it from \'q\'; it has been"
// expect(clang): "reduced before, or comes from a"
// expect(clang): "source without the axis"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct pooled {
#ifdef MISTAKE
  static constexpr auto at(auto q, auto x) { return sum<"time">(x) * max<"time">(q); }
#else
  static constexpr auto at(auto q, auto x) { return sum<"time">(x) * max(q); }
#endif
};
using model = graph<"model", input<"q", features<4>>, input<"x", features<4>, steps<6>>,
                    node<"y", pooled, "q", "x">, output<"y">>;
static_assert(check<model>());
