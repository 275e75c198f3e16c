// An option with an option of its own.
// expect(g++): node \'y\': a recurrent layer has no option \'dropout<
// expect(g++): layers<2>>\'; write dropout<rate>
// expect(clang): "node \'y\': a recurrent layer has no"
// expect(clang): "option \'dropout<0.5, layers<2>>\';"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = lstm<8, dropout<0.5, layers<2>>>;
#else
using layer = lstm<8, dropout<0.5>, layers<2>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
