// The number of a step, of a row.
// expect(g++): node \'y\': position<\"time\"> needs a sequence, got none from \'x\'; give an input a steps<bound>; a cell\'s step reads only one step
// expect(clang): "node \'y\': position<\"time\"> needs a"
// expect(clang): "sequence, got none from \'x\'; give"
// expect(clang): "an input a steps<bound>; a cell\'s"
// expect(clang): "step reads only one step"
#include <tenon/graph/graph.hpp>

using namespace tenon;

struct numbered {
  static constexpr auto at(auto x) { return x * position_of<"time">(x); }
};
#ifdef MISTAKE
using source = input<"x", features<4>>;
#else
using source = input<"x", features<4>, steps<6>>;
#endif
using model = graph<"model", source, node<"y", numbered, "x">, output<"y">>;
static_assert(check<model>());
