// A sequence of a negative length.
// expect(g++): node \'x\': steps<-1> has no steps; write the length of the longest sequence
// expect(clang): "node \'x\': steps<-1> has no steps;"
// expect(clang): "write the length of the longest"
// expect(clang): "sequence"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<4>, steps<-1>>, output<"x">>;
#else
using model = graph<"model", input<"x", features<4>, steps<1>>, output<"x">>;
#endif
static_assert(check<model>());
