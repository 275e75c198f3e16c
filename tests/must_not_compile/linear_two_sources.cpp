// A linear layer with two sources.
// expect(g++): node \'y\': linear takes 1 source, got 2; concat several sources first
// expect(clang): "node \'y\': linear takes 1 source,"
// expect(clang): "got 2; concat several sources"
// expect(clang): "first"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x", "x">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#endif
static_assert(check<model>());
