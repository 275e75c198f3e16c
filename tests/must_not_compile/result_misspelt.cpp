// A further result under a name that it does not have.
// expect(g++): the output \'y.wieghts\' is not an entry of the graph; did you mean \'y.weights\'?
// expect(clang): "the output \'y.wieghts\' is not an"
// expect(clang): "entry of the graph; did you mean"
// expect(clang): "\'y.weights\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using read = output<"y.wieghts">;
#else
using read = output<"y.weights">;
#endif
using model = graph<"model", input<"q", features<4>>, input<"x", features<4>, steps<6>>,
                    node<"y", attention<score::dot>, "q", "x">, output<"y">, read>;
static_assert(check<model>());
