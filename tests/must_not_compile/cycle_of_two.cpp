// Two nodes that read each other.
// expect(g++): node \'a\': it reads \'b\', which reads it in turn: a cycle; what a step hands on to the next is a state: recurrent<cell, hidden<n>>
// expect(clang): "node \'a\': it reads \'b\', which"
// expect(clang): "reads it in turn: a cycle; what a"
// expect(clang): "step hands on to the next is a"
// expect(clang): "state: recurrent<cell, hidden<n>>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"a", linear<3>, "b">, node<"b", linear<3>, "a">,
                    output<"b">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"a", linear<3>, "x">, node<"b", linear<3>, "a">,
                    output<"b">>;
#endif
static_assert(check<model>());
