// A chain with a part that is neither a layer nor an equation.
// expect(g++): node \'y.1\': \'float\' is neither a layer nor an equation; an equation is a struct with a static at(auto x) that compiles
// expect(clang): "node \'y.1\': \'float\' is neither a"
// expect(clang): "layer nor an equation; an equation"
// expect(clang): "is a struct with a static at(auto"
// expect(clang): "x) that compiles"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = chain<linear<3>, float>;
#else
using layer = chain<linear<3>, linear<2>>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
