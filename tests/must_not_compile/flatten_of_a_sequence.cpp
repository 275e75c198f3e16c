// A sequence, whose length is data, in one row.
// expect(g++): node \'y.0\': flatten takes a grid, got a sequence, whose length is data from \'x\'; reduce the time axis: mean_over<\"time\">, attention, or a recurrent layer\'s \'.final\'
// expect(clang): "node \'y.0\': flatten takes a grid,"
// expect(clang): "got a sequence, whose length is"
// expect(clang): "data from \'x\'; reduce the time"
// expect(clang): "axis: mean_over<\"time\">,"
// expect(clang): "attention, or a recurrent layer\'s"
// expect(clang): "\'.final\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
using layer = chain<flatten, linear<3>>;
#else
using layer = chain<mean_over<>, linear<3>>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
