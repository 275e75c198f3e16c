// A layer of a billion units.
// expect(g++): node \'y\': \'weight\' is wider than 16777216 features, got 1000000000; write a size that fits into memory
// expect(clang): "node \'y\': \'weight\' is wider than"
// expect(clang): "16777216 features, got 1000000000;"
// expect(clang): "write a size that fits into memory"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"y", linear<1000000000>, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"y", linear<1000000>, "x">, output<"y">>;
#endif
static_assert(check<model>());
