// What is pooled over time has no steps for a recurrent layer.
// expect(g++): node \'y\': recurrent expects a sequence, got one row without a time axis from \'h\'; name what is made from an input with steps<bound>, step by step
// expect(clang): "node \'y\': recurrent expects a"
// expect(clang): "sequence, got one row without a"
// expect(clang): "time axis from \'h\'; name what is"
// expect(clang): "made from an input with"
// expect(clang): "steps<bound>, step by step"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
using source = node<"h", mean_over<"time">, "x">;
#else
using source = node<"h", linear<4>, "x">;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, source,
                    node<"y", recurrent<cells::gru, hidden<4>>, "h">, output<"y">>;
static_assert(check<model>());
