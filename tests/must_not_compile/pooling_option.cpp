// An option that pooling does not have.
// expect(g++): node \'y\': max_pool1d has no option \'hidden<2>\'; its options: stride<n>, dilation<n>, padding<n>, same_padding, is_causal
// expect(clang): "node \'y\': max_pool1d has no option"
// expect(clang): "\'hidden<2>\'; its options:"
// expect(clang): "stride<n>, dilation<n>,"
// expect(clang): "padding<n>, same_padding,"
// expect(clang): "is_causal, named_axis<
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = max_pool1d<2, hidden<2>>;
#else
using layer = max_pool1d<2, stride<1>>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
