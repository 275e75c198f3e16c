// Both directions of a layer that has none.
// expect(g++): node \'y\': bidirectional needs a recurrent layer; write bidirectional<lstm<32>>, or recurrent<cell, hidden<32>> in it
// expect(clang): "node \'y\': bidirectional needs a"
// expect(clang): "recurrent layer; write"
// expect(clang): "bidirectional<lstm<32>>, or"
// expect(clang): "recurrent<cell, hidden<32>> in it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;

#ifdef MISTAKE
using layer = bidirectional<linear<4>>;
#else
using layer = bidirectional<gru<4>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
