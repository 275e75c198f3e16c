// The bias of a forget gate, of a cell without one.
// expect(g++): node \'y\': forget_bias<..>: the cell has no bias of a gate \'f\'; leave it out, or write b<\"f\"> in the cell\'s step
// expect(clang): "node \'y\': forget_bias<..>: the"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = gru<4, forget_bias<1>>;
#else
using layer = lstm<4, forget_bias<1>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
