// A rate that is no share.
// expect(g++): node \'y\': dropout<rate> needs a rate from 0 to below 1; write the share of zeros: dropout<0.5>
// expect(clang): "node \'y\': dropout<rate> needs a"
// expect(clang): "rate from 0 to below 1; write the"
// expect(clang): "share of zeros: dropout<0.5>; 1/2"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/dropout.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = dropout<1.5>;
#else
using layer = dropout<0.5>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
