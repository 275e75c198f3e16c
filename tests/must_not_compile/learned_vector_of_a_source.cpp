// A learned vector that is to read something.
// expect(g++): node \'h0\': learned_vector takes 0 sources, got 1; it reads nothing: node<\"h0\", learned_vector<64>>
// expect(clang): "node \'h0\': learned_vector takes 0"
// expect(clang): "sources, got 1; it reads nothing:"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using first_state = node<"h0", learned_vector<5>, "x">;
#else
using first_state = node<"h0", learned_vector<5>>;
#endif
using model =
    graph<"model", input<"x", features<4>, steps<6>>, first_state, node<"y", gru<5>, "x", "h0">, output<"y">>;
static_assert(check<model>());
