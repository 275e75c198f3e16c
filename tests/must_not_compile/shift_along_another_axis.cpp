// The step before, along an axis that the source does not have.
// expect(g++): node \'y\': shift<\"page\">: no source has this axis from \'x\'; the sources have the axis \'time\'
// expect(clang): "node \'y\': shift<\"page\">: no source"
// expect(clang): "has this axis from \'x\'; the"
// expect(clang): "sources have the axis \'time\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct layer {
#ifdef MISTAKE
  static constexpr auto at(auto x) { return x - shift<1, "page">(x); }
#else
  static constexpr auto at(auto x) { return x - shift<1, "time">(x); }
#endif
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
