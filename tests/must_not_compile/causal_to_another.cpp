// Steps so far, of another sequence.
// expect(g++): node \'y\': causal multi_head attends to its own sequence, and the memory is another from \'m\'; name one source, or leave is_causal out
// expect(clang): "node \'y\': causal multi_head"
// expect(clang): "attends to its own sequence, and"
// expect(clang): "the memory is another from \'m\';"
// expect(clang): "name one source, or leave"
// expect(clang): "is_causal out"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/multi_head.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = multi_head<8, 2, is_causal>;
#else
using layer = multi_head<8, 2>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6, "target">>,
                    input<"m", features<8>, steps<6, "source">>, node<"y", layer, "x", "m">, output<"y">>;
static_assert(check<model>());
