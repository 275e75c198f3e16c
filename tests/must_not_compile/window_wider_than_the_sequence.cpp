// No window fits into the sequence.
// expect(g++): node \'y\': unfold: no window fits: it needs 7 places, got 6 from \'x\'; write smaller windows, or a padding<n>
// expect(clang): "node \'y\': unfold: no window fits:"
// expect(clang): "it needs 7 places, got 6 from \'x\';"
// expect(clang): "write smaller windows, or a"
// expect(clang): "padding<n>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = unfold<7>;
#else
using layer = unfold<6>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
