// A nested graph on rows, fed with a sequence.
// expect(g++): node \'first.row\': the input expects one row, got a sequence from \'x\'; reduce the time axis first: attention, or the \'.final\' state of a recurrent layer
// expect(clang): "node \'first.row\': the input"
// expect(clang): "expects one row, got a sequence"
// expect(clang): "from \'x\'; reduce the time axis"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

using encoder = graph<"encoder", input<"row", features<8>>, node<"out", linear<3>, "row">, output<"out">>;
#ifdef MISTAKE
using source = input<"x", features<8>, steps<6>>;
#else
using source = input<"x", features<8>>;
#endif
using model = graph<"model", source, node<"first", encoder, "x">, output<"first">>;
static_assert(check<model>());
