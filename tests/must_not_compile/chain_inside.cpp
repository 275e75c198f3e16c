// A mistake inside a chain is named by its path.
// expect(g++): node \'y.1\': linear expects 5 features, got 4 from \'y.0\'; write features<4>, or mend \'y.0\'
// expect(clang): "node \'y.1\': linear expects 5"
// expect(clang): "features, got 4 from \'y.0\'; write"
// expect(clang): "features<4>, or mend \'y.0\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = chain<linear<4>, linear<3, features<5>>>;
#else
using layer = chain<linear<4>, linear<3, features<4>>>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
