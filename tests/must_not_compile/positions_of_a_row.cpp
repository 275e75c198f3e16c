// Positions of what is no sequence.
// expect(g++): node \'y\': learned_positions expects a sequence, got one row without a time axis from \'x\'; give the input a steps<bound>
// expect(clang): "node \'y\': learned_positions"
// expect(clang): "expects a sequence, got one row"
// expect(clang): "without a time axis from \'x\'; give"
// expect(clang): "the input a steps<bound>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/position.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using sequence = input<"x", features<8>>;
#else
using sequence = input<"x", features<8>, steps<6>>;
#endif
using model = graph<"model", sequence, node<"y", learned_positions<6>, "x">, output<"y">>;
static_assert(check<model>());
