// A mistake inside a nested graph is named by its path.
// expect(g++): node \'first.out\': linear expects 9 features, got 8 from \'x\'; write linear<8, 3>, or mend \'x\'
// expect(clang): "node \'first.out\': linear expects 9"
// expect(clang): "features, got 8 from \'x\'; write"
// expect(clang): "linear<8, 3>, or mend \'x\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

#ifdef MISTAKE
using encoder = graph<"encoder", input<"row", features<8>>, node<"out", linear<9, 3>, "row">, output<"out">>;
#else
using encoder = graph<"encoder", input<"row", features<8>>, node<"out", linear<8, 3>, "row">, output<"out">>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"first", encoder, "x">, output<"first">>;
static_assert(check<model>());
