// A character where an entry has its name.
// expect(g++): an entry has a character for its name; write the name in double quotes: node<\"name\", layer, \"source\">
// expect(clang): an entry has a"
// expect(clang): "character for its name; write the"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using last = node<'y', linear<3>, "x">;
#else
using last = node<"y", linear<3>, "x">;
#endif
using model = graph<"model", input<"x", features<8>>, last, output<"y">>;
static_assert(check<model>());
