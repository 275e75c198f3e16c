// A linear layer with one size too many.
// expect(g++): node \'y\': linear needs positive sizes; write linear<in, out> or linear<out>
// expect(clang): "node \'y\': linear needs positive"
// expect(clang): "sizes; write linear<in, out> or"
// expect(clang): "linear<out>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

#ifdef MISTAKE
using layer = linear<8, 6, 4>;
#else
using layer = linear<8, 4>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
