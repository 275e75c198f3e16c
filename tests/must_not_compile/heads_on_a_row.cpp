// Multi-head attention of one row.
// expect(g++): node \'y\': multi_head expects a sequence, got one row without a time axis from \'x\'; give the input a steps<bound>
// expect(clang): "node \'y\': multi_head expects a"
// expect(clang): "sequence, got one row without a"
// expect(clang): "time axis from \'x\'; give the input"
// expect(clang): "a steps<bound>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/multi_head.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using sequence = input<"x", features<8>>;
#else
using sequence = input<"x", features<8>, steps<6>>;
#endif
using model = graph<"model", sequence, node<"y", multi_head<8, 2>, "x">, output<"y">>;
static_assert(check<model>());
