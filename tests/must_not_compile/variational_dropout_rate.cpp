// A rate that is no share.
// expect(g++): node \'y\': variational_dropout<rate> needs a rate from 0 to below 1; write the share of zeros: variational_dropout<0.3>
// expect(clang): "variational_dropout<0.3>; 1/2 is"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = lstm<4, variational_dropout<0.3, 1.5>>;
#else
using layer = lstm<4, variational_dropout<0.3, 0.5>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
