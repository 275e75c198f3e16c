// Bounds in the wrong order.
// expect(g++): node \'y.weight\': an initialiser\'s bounds are in the wrong order, or its deviation is negative; init::uniform(low, high), init::normal(mean, deviation)
// expect(clang): "bounds are in the wrong order, or"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<4, initialized<"weight", init::uniform(0.1, -0.1)>>;
#else
using layer = linear<4, initialized<"weight", init::uniform(-0.1, 0.1)>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
