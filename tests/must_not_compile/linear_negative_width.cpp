// A linear layer of negative width.
// expect(g++): node \'y\': linear needs positive sizes; write linear<out>
// expect(clang): "node \'y\': linear needs positive"
// expect(clang): "sizes; write linear<out>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<-3>;
#else
using layer = linear<3>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
