// An output that is no node.
// expect(g++): the output \'logit\' is not an entry of the graph; did you mean \'logits\'?
// expect(clang): "the output \'logit\' is not an entry"
// expect(clang): "of the graph; did you mean"
// expect(clang): "\'logits\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logit">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#endif
static_assert(check<model>());
