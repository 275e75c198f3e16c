// A chain with a part that is neither a layer nor an equation.
// expect(g++): node \'y.1\': what stands here is neither a layer nor an equation; an equation is a struct with a static at(auto x)
// expect(clang): "node \'y.1\': what stands here is"
// expect(clang): "neither a layer nor an equation;"
// expect(clang): "an equation is a struct with a"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

#ifdef MISTAKE
using layer = chain<linear<3>, float>;
#else
using layer = chain<linear<3>, linear<2>>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
