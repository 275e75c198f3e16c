// A part of an input, or an option of a session, behind an output.
// expect(g++): \'steps<4>\' follows the name of output \'y\', which has no options; write output<\"y\">
// expect(clang): "\'steps<4>\' follows the name of"
// expect(clang): "output \'y\', which has no options;"
// expect(clang): "write output<\"y\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

using rows = input<"x", features<8>, steps<4>>;
#ifdef MISTAKE
using model = graph<"model", rows, node<"y", linear<4>, "x">, output<"y", steps<4>>>;
#else
using model = graph<"model", rows, node<"y", linear<4>, "x">, output<"y">>;
#endif
static_assert(check<model>());
