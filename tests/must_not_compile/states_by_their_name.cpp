// The states of all layers where one row is needed.
// expect(g++): node \'y\': linear expects one row, got a stack of layers from \'first.c_n\'; take the last layer\'s state: \'.final\'
// expect(clang): "node \'y\': linear expects one row,"
// expect(clang): "got a stack of layers from"
// expect(clang): "\'first.c_n\'; take the last layer\'s"
// expect(clang): "state: \'.final\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"first", lstm<8, layers<2>>, "x">,
                    node<"y", linear<4>, "first.c_n">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"first", lstm<8, layers<2>>, "x">,
                    node<"y", linear<4>, "first.final">, output<"y">>;
#endif
static_assert(check<model>());
