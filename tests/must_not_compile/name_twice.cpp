// Two nodes of one name.
// expect(g++): node \'y\': two entries have this name; rename one of them
// expect(clang): "node \'y\': two entries have this"
// expect(clang): "name; rename one of them"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"y", linear<3>, "x">, node<"y", linear<4>, "x">,
                    output<"y">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"y", linear<3>, "x">, node<"z", linear<4>, "y">,
                    output<"z">>;
#endif
static_assert(check<model>());
