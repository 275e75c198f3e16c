// A recurrent layer of no units.
// expect(g++): node \'y\': a recurrent layer needs a positive hidden<n>; recurrent<cell, hidden<32>>, lstm<32>
// expect(clang): "node \'y\': a recurrent layer needs"
// expect(clang): "a positive hidden<n>;"
// expect(clang): "recurrent<cell, hidden<32>>,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = lstm<0>;
#else
using layer = lstm<1>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
