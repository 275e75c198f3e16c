// A source that does not exist.
// expect(g++): node \'y\': no entry above is named \'encoder\'; declare sources above the nodes that use them
// expect(clang): "node \'y\': no entry above is named"
// expect(clang): "\'encoder\'; declare sources above"
// expect(clang): "the nodes that use them"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"y", linear<3>, "encoder">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
#endif
static_assert(check<model>());
