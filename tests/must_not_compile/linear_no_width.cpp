// A linear layer of no width.
// expect(g++): node \'y\': linear needs positive sizes; write linear<out>
// expect(clang): "node \'y\': linear needs positive"
// expect(clang): "sizes; write linear<out>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<0>;
#else
using layer = linear<1>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
