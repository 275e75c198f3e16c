// An option that a linear layer does not have.
// expect(g++): node \'y\': linear has no option \'is_causal\'; its options: features<in>, no_bias, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">
// expect(clang): "node \'y\': linear has no option"
// expect(clang): "\'is_causal\'; its options:"
// expect(clang): "features<in>, no_bias,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<4, is_causal>;
#else
using layer = linear<4, no_bias>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
