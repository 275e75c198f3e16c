// A mean over time of a row.
// expect(g++): node \'y\': sum<\"time\"> goes along a sequence, and what it is given is none from \'x\'; give an input a steps<bound>; a cell\'s step sees one step alone
// expect(clang): "node \'y\': sum<\"time\"> goes along a"
// expect(clang): "sequence, and what it is given is"
// expect(clang): "none from \'x\'; give an input a"
// expect(clang): "steps<bound>; a cell\'s step sees"
// expect(clang): "one step alone"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
using source = input<"x", features<4>>;
#else
using source = input<"x", features<4>, steps<6>>;
#endif
using model = graph<"model", source, node<"y", mean_over<"time">, "x">, output<"y">>;
static_assert(check<model>());
