// Dropout between the layers of one layer: there is nowhere for it.
// expect(g++): node \'y\': dropout<rate> of a recurrent layer is applied between its layers, and it has only one; add layers<2>, or write chain<layer, dropout<rate>> to apply it to the output
// expect(clang): "node \'y\': dropout<rate> of a"
// expect(clang): "recurrent layer is applied between"
// expect(clang): "its layers, and it has only one;"
// expect(clang): "add layers<2>, or write"
// expect(clang): "chain<layer, dropout<rate>> to"
// expect(clang): "apply it to the output"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", lstm<8, dropout<0.5>>, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>,
                    node<"y", lstm<8, layers<2>, dropout<0.5>>, "x">, output<"y">>;
#endif
static_assert(check<model>());
