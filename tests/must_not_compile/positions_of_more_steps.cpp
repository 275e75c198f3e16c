// Fewer learned positions than the sequence can have steps.
// expect(g++): node \'y\': learned_positions expects at most 10 steps, got 12 from \'x\'; write learned_positions<12>
// expect(clang): "node \'y\': learned_positions"
// expect(clang): "expects at most 10 steps, got 12"
// expect(clang): "from \'x\'; write"
// expect(clang): "learned_positions<12>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/position.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = learned_positions<10>;
#else
using layer = learned_positions<12>;
#endif
using model = graph<"model", input<"x", features<8>, steps<12>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
