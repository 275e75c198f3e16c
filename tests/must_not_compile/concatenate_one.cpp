// One source has nothing beside it.
// expect(g++): node \'y\': concatenate takes at least 2 sources, got 1; name two sources or more
// expect(clang): "node \'y\': concatenate takes at"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/concatenate.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using both = node<"y", concatenate, "a">;
using model = graph<"model", input<"a", features<3>>, both, output<"y">>;
#else
using both = node<"y", concatenate, "a", "b">;
using model = graph<"model", input<"a", features<3>>, input<"b", features<2>>, both, output<"y">>;
#endif
static_assert(check<model>());
