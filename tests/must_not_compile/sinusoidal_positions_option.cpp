// What learns nothing cannot be frozen.
// expect(g++): node \'y\': sinusoidal_positions has no option \'frozen\'; leave it out: it has none
// expect(clang): "node \'y\': sinusoidal_positions has"
// expect(clang): "no option \'frozen\'; leave it out:"
// expect(clang): "it has none"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = sinusoidal_positions<8, frozen>;
#else
using layer = sinusoidal_positions<8>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
