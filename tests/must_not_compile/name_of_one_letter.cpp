// Of a name of one letter every other is a near miss: none is suggested.
// expect(g++): node \'y\': no entry above is named \'z\'; declare sources above the nodes that use them
// expect(clang): "node \'y\': no entry above is named"
// expect(clang): "\'z\'; declare sources above the"
// expect(clang): "nodes that use them"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"y", linear<3>, "z">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
#endif
static_assert(check<model>());
