// A sequence, whose length is data, in one row.
// expect(g++): node \'y.0\': flatten expects a grid of a fixed size, got a sequence from \'x\'; reduce the time axis: mean_over<\"time\">, attention, or a recurrent layer\'s \'.final\'
// expect(clang): "node \'y.0\': flatten expects a grid"
// expect(clang): "of a fixed size, got a sequence"
// expect(clang): "from \'x\'; reduce the time axis:"
// expect(clang): "mean_over<\"time\">, attention, or a"
// expect(clang): "recurrent layer\'s \'.final\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = chain<flatten, linear<3>>;
#else
using layer = chain<mean_over<>, linear<3>>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
