// An initial state of another size than the hidden one.
// expect(g++): node \'y\': the initial state expects 4 features, got 5 from \'h\'; a state is as wide as its layer: gru<width>, hidden<width>
// expect(clang): "node \'y\': the initial state"
// expect(clang): "expects 4 features, got 5 from"
// expect(clang): "\'h\'; a state is as wide as its"
// expect(clang): "layer: gru<width>, hidden<width>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using h = input<"h", features<5>>;
#else
using h = input<"h", features<4>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, h, input<"c", features<4>>,
                    node<"y", lstm<4>, "x", "h", "c">, output<"y">>;
static_assert(check<model>());
