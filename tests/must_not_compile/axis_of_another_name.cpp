// A sum over an axis that no source has.
// expect(g++): node \'y\': sum<\"source\">: no source has this axis from \'x\'; the sources have the axis \'time\'
// expect(clang): "node \'y\': sum<\"source\">: no source"
// expect(clang): "has this axis from \'x\'; the"
// expect(clang): "sources have the axis \'time\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct pooled {
#ifdef MISTAKE
  static constexpr auto at(auto x) { return sum<"source">(x); }
#else
  static constexpr auto at(auto x) { return sum<"time">(x); }
#endif
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", pooled, "x">, output<"y">>;
static_assert(check<model>());
