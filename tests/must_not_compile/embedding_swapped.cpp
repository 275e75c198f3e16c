// The sizes of a table in the other order.
// expect(g++): node \'y\': embedding<16, 100> has its sizes in the other order; write embedding<100, 16>: first how many tokens, then the width
// expect(clang): "node \'y\': embedding<16, 100> has"
// expect(clang): "its sizes in the other order;"
// expect(clang): "write embedding<100, 16>: first"
// expect(clang): "how many tokens, then the width"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", token<100>>, node<"y", embedding<16, 100>, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", token<100>>, node<"y", embedding<100, 16>, "x">, output<"y">>;
#endif
static_assert(check<model>());
