// Positions up to 0.
// expect(g++): node \'y\': learned_positions needs a positive bound; write the most steps: learned_positions<40>
// expect(clang): "node \'y\': learned_positions needs"
// expect(clang): "a positive bound; write the most"
// expect(clang): "steps: learned_positions<40>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/position.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = learned_positions<0>;
#else
using layer = learned_positions<6>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
