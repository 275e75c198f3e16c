// A node that names no source.
// expect(g++): node \'y\': linear takes 1 source, got 0; list its sources: node<\"y\", layer, \"x\">
// expect(clang): "node \'y\': linear takes 1 source,"
// expect(clang): "got 0; list its sources: node<\"y\","
// expect(clang): "layer, \"x\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using last = node<"y", linear<4>>;
#else
using last = node<"y", linear<4>, "x">;
#endif
using model = graph<"model", input<"x", features<8>>, last, output<"y">>;
static_assert(check<model>());
