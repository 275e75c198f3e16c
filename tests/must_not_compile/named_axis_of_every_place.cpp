// A window for each place: its axis is that of the source.
// expect(g++): node \'y\': conv1d has a window for each place, so it makes no axis to name; leave named_axis out: the axis is that of the source
// expect(clang): "node \'y\': conv1d has a window for"
// expect(clang): "each place, so it makes no axis to"
// expect(clang): "name; leave named_axis out: the"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 3, same_padding, named_axis<"smooth">>;
#else
using layer = conv1d<8, 3, named_axis<"smooth">>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
