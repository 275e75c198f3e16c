// A dilation written as a number.
// expect(g++): node \'y\': conv1d has no option \'steps<2>\'; its options: stride<n>, dilation<n>, padding<n>, same_padding, is_causal, no_bias, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">
// expect(clang): "node \'y\': conv1d has no option"
// expect(clang): "\'steps<2>\'; its options:"
// expect(clang): "stride<n>, dilation<n>,"
// expect(clang): "padding<n>, same_padding,"
// expect(clang): "is_causal, no_bias,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 3, steps<2>>;
#else
using layer = conv1d<8, 3, dilation<2>>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
