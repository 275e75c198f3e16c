// Two sizes of one layer: the first is that of gru<4>.
// expect(g++): node \'y\': a recurrent layer is given \'hidden\' twice; keep one of them
// expect(clang): "node \'y\': a recurrent layer is"
// expect(clang): "given \'hidden\' twice; keep one of"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = gru<4, hidden<8>>;
#else
using layer = gru<8>;
#endif
using model = graph<"model", input<"x", features<8>, steps<3>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
