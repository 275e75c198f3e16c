// A recurrent layer of no layers.
// expect(g++): node \'y\': a recurrent layer needs a positive layers<n>; layers<1> is what it has without
// expect(clang): "node \'y\': a recurrent layer needs"
// expect(clang): "a positive layers<n>; layers<1> is"
// expect(clang): "what it has without"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;

#ifdef MISTAKE
using layer = lstm<4, layers<0>>;
#else
using layer = lstm<4, layers<1>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
