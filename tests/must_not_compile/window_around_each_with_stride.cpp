// A window around each place, and windows at every second place.
// expect(g++): node \'y\': conv1d has same_padding, a window around each place, and a stride of 2; write stride<1>, or padding<n> in place of same_padding
// expect(clang): "node \'y\': conv1d has same_padding,"
// expect(clang): "a window around each place, and a"
// expect(clang): "stride of 2; write stride<1>, or"
// expect(clang): "padding<n> in place of"
// expect(clang): "same_padding"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 3, same_padding, stride<2>>;
#else
using layer = conv1d<8, 3, padding<1>, stride<2>>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
