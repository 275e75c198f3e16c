// An option of a recurrent layer for dropout, which has none.
// expect(g++): node \'y\': dropout has no option \'layers<2>\'; leave it out: it has none
// expect(clang): "node \'y\': dropout has no option"
// expect(clang): "\'layers<2>\'; leave it out: it has"
// expect(clang): "none"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = dropout<0.5, layers<2>>;
#else
using layer = dropout<0.5>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
