// A chain of nothing.
// expect(g++): node \'y\': a chain has no layer; write chain<linear<8>, dropout<0.1>>
// expect(clang): "node \'y\': a chain has no layer;"
// expect(clang): "write chain<linear<8>,"
// expect(clang): "dropout<0.1>>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = chain<>;
#else
using layer = chain<linear<4>>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
