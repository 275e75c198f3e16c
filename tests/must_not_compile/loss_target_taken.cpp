// A loss beside an input that has the name of its targets.
// expect(g++): node \'loss\': the loss adds an input named \'target\', and the graph has one; rename the graph\'s own, or name the target behind the output
// expect(clang): "node \'loss\': the loss adds an"
// expect(clang): "input named \'target\', and the"
// expect(clang): "graph has one; rename the graph\'s"
// expect(clang): "own, or name the target behind the"
// expect(clang): "output"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;


#ifdef MISTAKE
using given = input<"target", features<8>>;
using layer = node<"logits", linear<4>, "target">;
#else
using given = input<"x", features<8>>;
using layer = node<"logits", linear<4>, "x">;
#endif
using model = graph<"model", given, layer, output<"logits">>;
static_assert(check<model, losses::cross_entropy<"logits">>());
