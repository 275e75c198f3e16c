// One output named twice.
// expect(g++): two outputs are named \'y\'; remove one of them
// expect(clang): "two outputs are named \'y\'; remove"
// expect(clang): "one of them"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using second = output<"y">;
#else
using second = output<"z">;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, node<"z", linear<4>, "y">,
                    output<"y">, second>;
static_assert(check<model>());
