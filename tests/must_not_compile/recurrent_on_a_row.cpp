// A recurrent layer on what another node has made of one row.
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
using model =
    graph<"model", input<"x", features<8>>, node<"h", linear<8>, "x">, node<"y", lstm<4>, "h">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"h", linear<8>, "x">,
                    node<"y", lstm<4>, "h">, output<"y">>;
#endif
static_assert(check<model>());
