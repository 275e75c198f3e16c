// A graph without outputs.
// expect(g++): graph \'model\' has no output; add output<\"node\">
// expect(clang): "graph \'model\' has no output; add"
// expect(clang): "output<\"node\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#endif
static_assert(check<model>());
