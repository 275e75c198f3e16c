// A result of a node that stands below its reader.
// expect(g++): node \'logits\': its source \'states\' is declared below it; entries read only entries above them: move it
// expect(clang): "node \'logits\': its source \'states\'"
// expect(clang): "is declared below it; entries read"
// expect(clang): "only entries above them: move it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"logits", linear<3>, "states.final">,
                    node<"states", gru<4>, "x">, output<"logits">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">,
                    node<"logits", linear<3>, "states.final">, output<"logits">>;
#endif
static_assert(check<model>());
