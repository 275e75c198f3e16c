// A mean over time of a row.
// expect(g++): node \'y\': sum<\"time\"> needs a sequence, got none from \'x\'; give an input a steps<bound>; a cell\'s step reads only one step
// expect(clang): "node \'y\': sum<\"time\"> needs a"
// expect(clang): "sequence, got none from \'x\'; give"
// expect(clang): "an input a steps<bound>; a cell\'s"
// expect(clang): "step reads only one step"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using source = input<"x", features<4>>;
#else
using source = input<"x", features<4>, steps<6>>;
#endif
using model = graph<"model", source, node<"y", mean_over<"time">, "x">, output<"y">>;
static_assert(check<model>());
