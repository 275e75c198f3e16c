// Both directions of a layer that has none.
// expect(g++): node \'y\': linear has no option \'bidirectional\'; its options: features<in>, no_bias, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">
// expect(clang): "node \'y\': linear has no option"
// expect(clang): "\'bidirectional\'; its options:"
// expect(clang): "features<in>, no_bias,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<4, bidirectional>;
#else
using layer = gru<4, bidirectional>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
