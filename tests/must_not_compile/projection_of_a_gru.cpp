// A projection of the only state.
// expect(g++): node \'y\': proj_size<n> projects the first of several states, and the cell has one; write lstm<64, proj_size<32>>, or put linear<32> behind the layer
// expect(clang): "the first of several states, and"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = gru<16, proj_size<8>>;
#else
using layer = lstm<16, proj_size<8>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
