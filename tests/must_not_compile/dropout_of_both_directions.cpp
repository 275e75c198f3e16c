// Two directions are one layer.
// expect(g++): node \'y\': dropout<rate> of a recurrent layer stands between its layers, and there is one; add layers<2>, or write chain<layer, dropout<rate>> for one behind it
// expect(clang): "node \'y\': dropout<rate> of a"
// expect(clang): "recurrent layer stands between its"
// expect(clang): "layers, and there is one; add"
// expect(clang): "layers<2>, or write chain<layer,"
// expect(clang): "dropout<rate>> for one behind it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>, steps<6>>,
                    node<"y", gru<8, bidirectional, dropout<0.5>>, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>,
                    node<"y", chain<gru<8, bidirectional>, dropout<0.5>>, "x">, output<"y">>;
#endif
static_assert(check<model>());
