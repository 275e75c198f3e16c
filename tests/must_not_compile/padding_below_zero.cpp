// A padding of less than nothing.
// expect(g++): node \'y\': conv1d needs a padding of at least 0; leave padding<0> out
// expect(clang): "node \'y\': conv1d needs a padding"
// expect(clang): "of at least 0; leave padding<0>"
// expect(clang): "out"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 3, padding<-1>>;
#else
using layer = conv1d<8, 3, padding<0>>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
