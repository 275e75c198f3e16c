// An input of tokens and numbers at once.
// expect(g++): node \'x\': the input says both token<range> and features<size>; keep one of them
// expect(clang): "node \'x\': the input says both"
// expect(clang): "token<range> and features<size>;"
// expect(clang): "keep one of them"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
using model = graph<"model", input<"x", token<3>, features<4>>, output<"x">>;
#else
using model = graph<"model", input<"x", features<4>>, output<"x">>;
#endif
static_assert(check<model>());
