// A node that reads itself.
// expect(g++): node \'again\': it reads itself: a cycle; pass a value to the next step as a state: recurrent<cell, hidden<n>>
// expect(clang): "node \'again\': it reads itself: a"
// expect(clang): "cycle; pass a value to the next"
// expect(clang): "step as a state: recurrent<cell,"
// expect(clang): "hidden<n>>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"again", chain<add, linear<8>>, "x", "again">,
                    output<"again">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>,
                    node<"again", recurrent<cells::gru, hidden<8>>, "x">, output<"again">>;
#endif
static_assert(check<model>());
