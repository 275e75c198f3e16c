// A state of a billion units: the rows of four gates are no int.
// expect(g++): node \'y\': \'input 1\' is wider than 16777216 features, got 1000000000; write a size that fits into memory
// expect(clang): "node \'y\': \'input 1\' is wider than"
// expect(clang): "16777216 features, got 1000000000;"
// expect(clang): "write a size that fits into memory"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", lstm<1000000000>, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", lstm<1000>, "x">, output<"y">>;
#endif
static_assert(check<model>());
