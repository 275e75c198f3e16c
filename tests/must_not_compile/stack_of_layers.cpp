// A linear layer on the final states of all layers.
// expect(g++): node \'y\': linear expects one row, got a stack of layers from \'states.h_n\'; take the last layer\'s state: \'.final\'
// expect(clang): "node \'y\': linear expects one row,"
// expect(clang): "got a stack of layers from"
// expect(clang): "\'states.h_n\'; take the last"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4, layers<2>>, "x">,
                    node<"y", linear<4>, "states.h_n">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4, layers<2>>, "x">,
                    node<"y", linear<4>, "states.final">, output<"y">>;
#endif
static_assert(check<model>());
