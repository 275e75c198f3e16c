// A source that stands below its reader.
// expect(g++): node \'b\': no entry above is named \'later\'; sources stand above the nodes that use them
// expect(clang): "node \'b\': no entry above is named"
// expect(clang): "\'later\'; sources stand above the"
// expect(clang): "nodes that use them"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"b", linear<3>, "later">,
                    node<"later", linear<3>, "x">, output<"b">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"later", linear<3>, "x">,
                    node<"b", linear<3>, "later">, output<"b">>;
#endif
static_assert(check<model>());
