// A recurrent layer of no layers.
// expect(g++): node \'y\': a recurrent layer needs a positive layers<n>; write at least layers<1>, the default
// expect(clang): "node \'y\': a recurrent layer needs"
// expect(clang): "a positive layers<n>; write at"
// expect(clang): "least layers<1>, the default"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = lstm<4, layers<0>>;
#else
using layer = lstm<4, layers<1>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
