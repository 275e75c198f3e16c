// An initial state at every step.
// expect(g++): node \'y\': the initial state expects one row, got a sequence from \'h\'; reduce the time axis first: attention, or the \'.final\' state of a recurrent layer
// expect(clang): "node \'y\': the initial state"
// expect(clang): "expects one row, got a sequence"
// expect(clang): "from \'h\'; reduce the time axis"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using h = input<"h", features<4>, steps<6>>;
#else
using h = input<"h", features<4>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, h, input<"c", features<4>>,
                    node<"y", lstm<4>, "x", "h", "c">, output<"y">>;
static_assert(check<model>());
