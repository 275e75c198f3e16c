// An option that multi-head attention does not have.
// expect(g++): node \'y\': multi_head has no option \'norm_first\'; its options: is_causal, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">
// expect(clang): "node \'y\': multi_head has no option"
// expect(clang): "\'norm_first\'; its options:"
// expect(clang): "is_causal, initialized<\"name\","
#include <tenon/graph/graph.hpp>
#include <tenon/nn/transformer.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = multi_head<8, 2, norm_first>;
#else
using layer = multi_head<8, 2, is_causal>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
