// A learned initial state of one layer for a recurrent layer of two.
// expect(g++): node \'y\': the initial state expects 2 layers, got 1 from \'h0\'; layers times directions:
// expect(clang): "node \'y\': the initial state"
// expect(clang): "expects 2 layers, got 1 from \'h0\';"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using first_states = learned_vector<5>;
#else
using first_states = learned_vector<5, layers<2>>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"h0", first_states>,
                    node<"y", gru<5, layers<2>>, "x", "h0">, output<"y">>;
static_assert(check<model>());
