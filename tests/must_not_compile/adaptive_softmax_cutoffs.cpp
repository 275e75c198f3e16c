// Cutoffs that do not rise.
// expect(g++): node \'y\': adaptive_softmax needs from one to six cutoffs that rise, from above 0 to below its classes; write adaptive_softmax<classes, 2000, 10000>
// expect(clang): "node \'y\': adaptive_softmax needs"
// expect(clang): "from one to six cutoffs that rise,"
// expect(clang): "from above 0 to below its classes;"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/adaptive_softmax.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = adaptive_softmax<100, 40, 20>;
#else
using layer = adaptive_softmax<100, 20, 40>;
#endif
using model = graph<"model", input<"x", features<16>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
