// An initial state for two layers where there is one.
// expect(g++): node \'y\': the initial state expects 1 layer, got 2 from \'h\'; layers times directions: input<\"h0\", layers<n>, features<h>>
// expect(clang): "node \'y\': the initial state"
// expect(clang): "expects 1 layer, got 2 from \'h\';"
// expect(clang): "layers times directions:"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using h = input<"h", features<4>, layers<2>>;
#else
using h = input<"h", features<4>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, h, input<"c", features<4>>,
                    node<"y", lstm<4>, "x", "h", "c">, output<"y">>;
static_assert(check<model>());
