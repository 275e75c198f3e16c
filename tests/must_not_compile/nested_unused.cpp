// A node inside a nested graph that nothing reads.
// expect(g++): node \'first.narrow\': nothing reads it; name it in a node or an output, or remove it
// expect(clang): "node \'first.narrow\': nothing reads"
// expect(clang): "it; name it in a node or an"
// expect(clang): "output, or remove it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using result = output<"wide">;
#else
using result = output<"narrow">;
#endif
using encoder = graph<"encoder", input<"row", features<8>>, node<"wide", linear<16>, "row">,
                      node<"narrow", linear<4>, "wide">, result>;
using model = graph<"model", input<"x", features<8>>, node<"first", encoder, "x">, output<"first">>;
static_assert(check<model>());
