// A node that nobody reads.
// expect(g++): node \'spare\': nothing reads it; name it in a node or an output, or remove it
// expect(clang): "node \'spare\': nothing reads it;"
// expect(clang): "name it in a node or an output, or"
// expect(clang): "remove it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"spare", linear<3>, "x">,
                    node<"y", linear<4>, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"spare", linear<3>, "x">,
                    node<"y", linear<4>, "spare">, output<"y">>;
#endif
static_assert(check<model>());
