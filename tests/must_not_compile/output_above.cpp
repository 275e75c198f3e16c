// An output above its node.
// expect(g++): the output \'logits\' is declared above its node; entries read only entries above them: move it
// expect(clang): "the output \'logits\' is declared"
// expect(clang): "above its node; entries read only"
// expect(clang): "entries above them: move it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, output<"logits">, node<"logits", linear<3>, "x">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"logits", linear<3>, "x">, output<"logits">>;
#endif
static_assert(check<model>());
