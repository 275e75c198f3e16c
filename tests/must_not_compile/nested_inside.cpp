// A mistake inside a nested graph is named by its path.
// expect(g++): node \'first.out\': linear expects 9 features, got 8 from \'x\'; write features<8>, or mend \'x\'
// expect(clang): "node \'first.out\': linear expects 9"
// expect(clang): "features, got 8 from \'x\'; write"
// expect(clang): "features<8>, or mend \'x\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using encoder = graph<"encoder", input<"row", features<8>>, node<"out", linear<3, features<9>>, "row">, output<"out">>;
#else
using encoder = graph<"encoder", input<"row", features<8>>, node<"out", linear<3, features<8>>, "row">, output<"out">>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"first", encoder, "x">, output<"first">>;
static_assert(check<model>());
