// The number of a step, of a row.
// expect(g++): node \'y\': position<\"time\"> goes along a sequence, and what it is given is none from \'x\'; give an input a steps<bound>; a cell\'s step sees one step alone
// expect(clang): "node \'y\': position<\"time\"> goes"
// expect(clang): "along a sequence, and what it is"
// expect(clang): "given is none from \'x\'; give an"
// expect(clang): "input a steps<bound>; a cell\'s"
// expect(clang): "step sees one step alone"
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
