// A node that reads itself.
// expect(g++): node \'again\': it reads itself: a cycle; what a step hands on to the next is a state: recurrent<cell, hidden<n>>
// expect(clang): "node \'again\': it reads itself: a"
// expect(clang): "cycle; what a step hands on to the"
// expect(clang): "next is a state: recurrent<cell,"
// expect(clang): "hidden<n>>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"again", chain<add, linear<8>>, "x", "again">,
                    output<"again">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>,
                    node<"again", recurrent<cells::gru, hidden<8>>, "x">, output<"again">>;
#endif
static_assert(check<model>());
