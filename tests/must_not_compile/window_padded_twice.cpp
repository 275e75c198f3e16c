// Two ways to pad.
// expect(g++): node \'y\': conv1d is padded in two ways; keep one of padding<n>, same_padding and is_causal
// expect(clang): "node \'y\': conv1d is padded in two"
// expect(clang): "ways; keep one of padding<n>,"
// expect(clang): "same_padding and is_causal"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 3, padding<1>, same_padding>;
#else
using layer = conv1d<8, 3, same_padding>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
