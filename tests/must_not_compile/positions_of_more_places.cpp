// Fewer learned positions than the grid has places.
// expect(g++): node \'y\': learned_positions expects at most 5 places, got 6 from \'x\'; write learned_positions<6>
// expect(clang): "node \'y\': learned_positions"
// expect(clang): "expects at most 5 places, got 6"
// expect(clang): "from \'x\'; write"
// expect(clang): "learned_positions<6>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/position.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = learned_positions<5>;
#else
using layer = learned_positions<6>;
#endif
using model = graph<"model", input<"x", features<8>, grid<2, 3>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
