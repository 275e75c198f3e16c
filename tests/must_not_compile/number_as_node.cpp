// A node that is neither a layer nor an equation.
// expect(g++): node \'y\': \'int\' is neither a layer nor an equation; an equation is a struct with a static at(auto x) that compiles
// expect(clang): "node \'y\': \'int\' is neither a layer"
// expect(clang): "nor an equation; an equation is a"
// expect(clang): "struct with a static at(auto x)"
// expect(clang): "that compiles"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = int;
#else
using layer = linear<3>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
