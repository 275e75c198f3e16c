// Two nodes that read each other.
// expect(g++): node \'a\': it reads \'b\', which reads it in turn: a cycle; pass a value to the next step as a state: recurrent<cell, hidden<n>>
// expect(clang): "node \'a\': it reads \'b\', which"
// expect(clang): "reads it in turn: a cycle; pass a"
// expect(clang): "value to the next step as a state:"
// expect(clang): "recurrent<cell, hidden<n>>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"a", linear<3>, "b">, node<"b", linear<3>, "a">,
                    output<"b">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"a", linear<3>, "x">, node<"b", linear<3>, "a">,
                    output<"b">>;
#endif
static_assert(check<model>());
