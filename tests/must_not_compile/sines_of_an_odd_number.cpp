// Sines and cosines of an odd number of features.
// expect(g++): node \'y\': sinusoidal_positions needs an even number of features, 4 at least; write sinusoidal_positions<64>
// expect(clang): "node \'y\': sinusoidal_positions"
// expect(clang): "needs an even number of features,"
// expect(clang): "4 at least; write"
// expect(clang): "sinusoidal_positions<64>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/position.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = sinusoidal_positions<7>;
#else
using layer = sinusoidal_positions<8>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
