// An option of embedding for positions.
// expect(g++): node \'y\': learned_positions has no option \'padding_idx<0>\'; its options: initialized<\"name\", start>, frozen, frozen_parameters<\"name\">
// expect(clang): "node \'y\': learned_positions has no"
// expect(clang): "option \'padding_idx<0>\'; its"
// expect(clang): "options: initialized<\"name\","
// expect(clang): "start>, frozen,"
// expect(clang): "frozen_parameters<\"name\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = learned_positions<6, padding_idx<0>>;
#else
using layer = learned_positions<6, frozen>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
