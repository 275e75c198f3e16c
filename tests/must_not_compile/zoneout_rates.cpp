// More rates than the cell has states.
// expect(g++): node \'y\': zoneout<..> has one rate, or one for each state of the cell: 1 rate, got 2; zoneout<0.05, 0.5> for h and c
// expect(clang): "cell: 1 rate, got 2; zoneout<0.05,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = gru<4, zoneout<0.1, 0.5>>;
#else
using layer = lstm<4, zoneout<0.1, 0.5>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
