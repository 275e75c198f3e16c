// A second output is called by its whole name.
// expect(g++): node \'y\': linear expects 16 features, got 8 from \'first.final\'; write features<8>, or mend \'first.final\'
// expect(clang): "node \'y\': linear expects 16"
// expect(clang): "features, got 8 from"
// expect(clang): "\'first.final\'; write features<8>,"
// expect(clang): "or mend \'first.final\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"first", lstm<8>, "x">,
                    node<"y", linear<4, features<16>>, "first.final">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"first", lstm<8>, "x">,
                    node<"y", linear<4, features<8>>, "first.final">, output<"y">>;
#endif
static_assert(check<model>());
