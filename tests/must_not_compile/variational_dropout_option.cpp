// Options of a recurrent layer within one of them.
// expect(g++): node \'y\': variational_dropout has no option \'no_bias\'; leave it out: it has none
// expect(clang): "node \'y\': variational_dropout has"
// expect(clang): "no option \'no_bias\'; leave it out:"
// expect(clang): "it has none"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = lstm<8, variational_dropout<0.5, 0.2, no_bias>>;
#else
using layer = lstm<8, variational_dropout<0.5, 0.2>, no_bias>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
