// An option that a block does not have.
// expect(g++): node \'y\': transformer_encoder has no option \'no_bias\'; its options: norm_first, is_causal, dropout<rate>, an activation, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">
// expect(clang): "node \'y\': transformer_encoder has"
// expect(clang): "no option \'no_bias\'; its options:"
// expect(clang): "norm_first, is_causal,"
// expect(clang): "dropout<rate>, an activation,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/transformer.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = transformer_encoder<8, 2, 12, no_bias>;
#else
using layer = transformer_encoder<8, 2, 12, norm_first>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
