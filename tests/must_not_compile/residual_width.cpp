// A residual block that changes the width.
// expect(g++): node \'y\': residual adds its input to its output: 8 features, got 4; the last layer inside must have the width of the input
// expect(clang): "node \'y\': residual adds its input"
// expect(clang): "to its output: 8 features, got 4;"
// expect(clang): "the last layer inside must have"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = residual<linear<16>, linear<4>>;
#else
using layer = residual<linear<16>, linear<8>>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
