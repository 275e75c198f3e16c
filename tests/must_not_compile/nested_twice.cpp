// A mistake two graphs deep, in a network of two inputs.
// expect(g++): node \'decoder.attention.query\': linear expects 9 features, got 8 from \'state\'; write features<8>, or mend \'state\'
// expect(clang): "node \'decoder.attention.query\':"
// expect(clang): "linear expects 9 features, got 8"
// expect(clang): "from \'state\'; write features<8>,"
// expect(clang): "or mend \'state\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using query = linear<12, features<9>>;
#else
using query = linear<12, features<8>>;
#endif
using attend = graph<"attend", input<"state", features<8>>, input<"memory", features<12>, steps<6>>,
                     node<"query", query, "state">, node<"context", attention<score::dot>, "query", "memory">,
                     output<"context">>;
using decode = graph<"decode", input<"state", features<8>>, input<"memory", features<12>, steps<6>>,
                     node<"attention", attend, "state", "memory">, node<"logits", linear<4>, "attention">,
                     output<"logits">>;
using model = graph<"model", input<"state", features<8>>, input<"memory", features<12>, steps<6>>,
                    node<"decoder", decode, "state", "memory">, output<"decoder">>;
static_assert(check<model>());
