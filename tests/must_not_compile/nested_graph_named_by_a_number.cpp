// A number where a graph that is a node has its name.
// expect(g++): node \'y\': a graph has a number for its name; write the name in double quotes: graph<\"name\", ..>
// expect(clang): "node \'y\': a graph has a number for"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using half = graph<1, input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
#else
using half = graph<"1", input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", half, "x">, output<"y">>;
static_assert(check<model>());
