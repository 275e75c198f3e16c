// More layers than a recurrent layer has room for.
// expect(g++): node \'y\': a recurrent layer has at most 32 layers times directions, got 40; put the layers above into a node of their own
// expect(clang): "node \'y\': a recurrent layer has at"
// expect(clang): "most 32 layers times directions,"
// expect(clang): "got 40; put the layers above into"
// expect(clang): "a node of their own"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using states = lstm<8, layers<40>>;
#else
using states = lstm<8, layers<20>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<4>>, node<"y", states, "x">, output<"y">>;
static_assert(check<model>());
