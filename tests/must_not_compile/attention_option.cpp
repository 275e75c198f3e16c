// An option that attention does not have.
// expect(g++): node \'y\': attention has no option \'no_bias\'; its options: initialized<\"name\", start>, frozen, frozen_parameters<\"name\">
// expect(clang): "node \'y\': attention has no option"
// expect(clang): "\'no_bias\'; its options:"
// expect(clang): "initialized<\"name\", start>,"
// expect(clang): "frozen, frozen_parameters<\"name\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = attention<score::multiplicative, no_bias>;
#else
using layer = attention<score::multiplicative, frozen>;
#endif
using model = graph<"model", input<"q", features<8>>, input<"x", features<8>, steps<6>>,
                    node<"y", layer, "q", "x">, output<"y">>;
static_assert(check<model>());
