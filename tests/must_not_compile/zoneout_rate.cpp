// A unit that never takes a new value.
// expect(g++): node \'y\': zoneout<rate> needs a rate from 0 to below 1; write the share of units that keep their value: zoneout<0.1>
// expect(clang): "share of units that keep their"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = gru<4, zoneout<1>>;
#else
using layer = gru<4, zoneout<0.5>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
