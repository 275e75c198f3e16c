// A recurrent layer on one row.
// expect(g++): node \'y\': recurrent expects a sequence, got one row without a time axis from \'x\'; give the input a steps<bound>
// expect(clang): "node \'y\': recurrent expects a"
// expect(clang): "sequence, got one row without a"
// expect(clang): "time axis from \'x\'; give the input"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = lstm<4>;
#else
using layer = linear<4>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
