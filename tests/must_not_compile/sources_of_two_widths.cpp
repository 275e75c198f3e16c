// Two sources of unlike width, added.
// expect(g++): node \'y\': elementwise operands differ: 9 features, got 8 from \'left\'; make both the same size, or one of size 1
// expect(clang): "node \'y\': elementwise operands"
// expect(clang): "differ: 9 features, got 8 from"
// expect(clang): "\'left\'; make both the same size,"
// expect(clang): "or one of size 1"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/chain.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using right = features<9>;
#else
using right = features<8>;
#endif
using model = graph<"model", input<"left", features<8>>, input<"right", right>,
                    node<"y", add, "left", "right">, output<"y">>;
static_assert(check<model>());
