// A name with the point that separates a node from its outputs.
// expect(g++): node \'y.z\': a name has a \'.\'; choose another: \'.\' stands between a node and its second outputs
// expect(clang): "node \'y.z\': a name has a \'.\';"
// expect(clang): "choose another: \'.\' stands between"
// expect(clang): "a node and its second outputs"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"y.z", linear<3>, "x">, output<"y.z">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"y_z", linear<3>, "x">, output<"y_z">>;
#endif
static_assert(check<model>());
