// An input that is declared as the initial state of two layers, where a row is expected.
// expect(g++): node \'y\': linear expects one row, got a stack of layers from \'z\'; leave layers<n> out of the input: it is for initial states
// expect(clang): "node \'y\': linear expects one row,"
// expect(clang): "got a stack of layers from
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"z", layers<2>, features<4>>, node<"y", linear<3>, "z">, output<"y">>;
#else
using model = graph<"model", input<"z", features<4>>, node<"y", linear<3>, "z">, output<"y">>;
#endif
static_assert(check<model>());
