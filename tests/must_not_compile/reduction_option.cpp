// An option of attention for a mean.
// expect(g++): node \'y\': mean_over has no option \'is_causal\'; leave it out: it has none
// expect(clang): "node \'y\': mean_over has no option"
// expect(clang): "\'is_causal\'; leave it out: it has"
// expect(clang): "none"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = mean_over<"time", is_causal>;
#else
using layer = mean_over<"time">;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
