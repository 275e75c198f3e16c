// An input that does not say what it carries.
// expect(g++): node \'x\': the input says neither token<range> nor features<size>; add one of them
// expect(clang): "node \'x\': the input says neither"
// expect(clang): "token<range> nor features<size>;"
// expect(clang): "add one of them"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
using model = graph<"model", input<"x", steps<3>>, output<"x">>;
#else
using model = graph<"model", input<"x", features<4>, steps<3>>, output<"x">>;
#endif
static_assert(check<model>());
