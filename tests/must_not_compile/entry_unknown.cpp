// A layer where an entry of the graph is needed.
// expect(g++): \'linear<4>\' is not an entry of a graph; its entries: input<..>, node<\"name\", layer, \"source\">, output<..>, tied<..>
// expect(clang): "\'linear<4>\' is not an entry of a"
// expect(clang): "graph; its entries: input<..>,"
// expect(clang): "node<\"name\", layer, \"source\">,"
// expect(clang): "output<..>, tied<..>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using entry = linear<4>;
#else
using entry = node<"y", linear<4>, "x">;
#endif
using model = graph<"model", input<"x", features<8>>, entry, output<"y">>;
static_assert(check<model>());
