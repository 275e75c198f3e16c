// A character where a graph has its name.
// expect(g++): a graph has a character for its name; write the name in double quotes: graph<\"name\", ..>
// expect(clang): "a graph has a character for its"
// expect(clang): "name; write the name in double"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<'m', input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
#else
using model = graph<"m", input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
#endif
static_assert(check<model>());
