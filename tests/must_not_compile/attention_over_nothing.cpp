// Attention without a query, by a vector of no numbers.
// expect(g++): node \'row\': attention_over expects a learned vector of at least 1 number, got 0; write attention_over<64>
// expect(clang): "node \'row\': attention_over expects"
// expect(clang): "a learned vector of at least 1"
// expect(clang): "number, got 0; write"
// expect(clang): "attention_over<64>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = attention_over<0>;
#else
using layer = attention_over<64>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"row", layer, "x">, output<"row">>;
static_assert(check<model>());
