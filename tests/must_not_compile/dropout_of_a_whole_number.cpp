// A rate that is 0, since both of its numbers are whole.
// expect(g++): node \'y\': dropout<rate> needs a rate from 0 to below 1; write the share of zeros: dropout<0.5>; 1/2 is the whole number 0
// expect(clang): "share of zeros: dropout<0.5>; 1/2"
// expect(clang): "is the whole number 0, and 0.0 is"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/dropout.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = dropout<1 / 2>;
#else
using layer = dropout<1.0 / 2>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
