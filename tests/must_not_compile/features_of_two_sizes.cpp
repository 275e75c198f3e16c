// Two sizes for the width of a row.
// expect(g++): node \'x\': features<n> is the width of one row, and has one size; write an image as grid<height, width>, features<1>; a sequence as steps<bound>, features<n>
// expect(clang): "node \'x\': features<n> is the width"
// expect(clang): "of one row, and has one size;"
// expect(clang): "write an image as grid<height,"
// expect(clang): "width>, features<1>; a sequence as"
// expect(clang): "steps<bound>, features<n>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using image = features<28, 28>;
#else
using image = features<784>;
#endif
using model = graph<"model", input<"x", image>, node<"y", linear<10>, "x">, output<"y">>;
static_assert(check<model>());
