// An input of no layers.
// expect(g++): node \'x\': layers<0> has no layers; write layers times directions
// expect(clang): "node \'x\': layers<0> has no layers;"
// expect(clang): "write layers times directions"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<4>, layers<0>>, output<"x">>;
#else
using model = graph<"model", input<"x", features<4>, layers<1>>, output<"x">>;
#endif
static_assert(check<model>());
