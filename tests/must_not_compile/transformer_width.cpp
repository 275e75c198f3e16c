// A block of another width than its source.
// expect(g++): node \'y\': transformer_encoder expects 6 features, got 8 from \'x\'; put linear<features> or an embedding of that width before it
// expect(clang): "node \'y\': transformer_encoder"
// expect(clang): "expects 6 features, got 8 from"
// expect(clang): "\'x\'; put linear<features> or an"
// expect(clang): "embedding of that width before it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/transformer.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = transformer_encoder<6, 2, 12>;
#else
using layer = transformer_encoder<8, 2, 12>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
