// A loss over a single logit.
// expect(g++): node \'loss\': cross_entropy expects at least 2 features, got 1 from \'y\'; end the node in linear<classes>
// expect(clang): "node \'loss\': cross_entropy expects"
// expect(clang): "at least 2 features, got 1 from"
// expect(clang): "\'y\'; end the node in"
// expect(clang): "linear<classes>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<1>;
#else
using layer = linear<2>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model, losses::cross_entropy<"y">>());
