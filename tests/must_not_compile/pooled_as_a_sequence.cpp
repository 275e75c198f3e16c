// What is pooled over time has no steps for a recurrent layer.
// expect(g++): node \'y\': recurrent expects a sequence, got one row without a time axis from \'h\'; name a source that keeps the steps of an input with steps<bound>
// expect(clang): "node \'y\': recurrent expects a"
// expect(clang): "sequence, got one row without a"
// expect(clang): "time axis from \'h\'; name a source"
// expect(clang): "that keeps the steps of an input"
// expect(clang): "with steps<bound>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using source = node<"h", mean_over<"time">, "x">;
#else
using source = node<"h", linear<4>, "x">;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, source,
                    node<"y", recurrent<cells::gru, hidden<4>>, "h">, output<"y">>;
static_assert(check<model>());
