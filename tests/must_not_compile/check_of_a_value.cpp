// A graph as an argument of the check.
// expect(g++): a graph is a type and must be in angle brackets; write check<model>()
// expect(clang): "a graph is a type and must be in"
// expect(clang): "angle brackets; write"
// expect(clang): "check<model>()"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
static_assert(check(model{}));
#else
static_assert(check<model>());
#endif
