// An LSTM with one initial state.
// expect(g++): node \'y\': recurrent takes the sequence and all initial states, or none: 3 sources, got 2; name an initial state for each state of the cell
// expect(clang): "node \'y\': recurrent takes the"
// expect(clang): "sequence and all initial states,"
// expect(clang): "or none: 3 sources, got 2; name an"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>, steps<6>>, input<"h", features<4>>,
                    node<"y", lstm<4>, "x", "h">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>, input<"h", features<4>>,
                    node<"y", gru<4>, "x", "h">, output<"y">>;
#endif
static_assert(check<model>());
