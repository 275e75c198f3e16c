// An input of no features.
// expect(g++): node \'x\': features<0> has no features; write the width of a row
// expect(clang): "node \'x\': features<0> has no"
// expect(clang): "features; write the width of a row"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<0>>, output<"x">>;
#else
using model = graph<"model", input<"x", features<4>>, output<"x">>;
#endif
static_assert(check<model>());
