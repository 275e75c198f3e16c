// The last states of an encoder of two directions where a decoder has one.
// expect(g++): node \'d\': the initial state expects 1 layer, got 2 from \'e.h_n\'; write \'e.final\': it has no layers
// expect(clang): "node \'d\': the initial state"
// expect(clang): "expects 1 layer, got 2 from"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
#  define STATES "e.h_n"
#else
#  define STATES "e.final"
#endif
using model = graph<"model", input<"x", features<3>, steps<5>>, node<"e", gru<4, bidirectional>, "x">,
                    node<"d", gru<8>, "x", STATES>, output<"d">>;
static_assert(check<model>());
