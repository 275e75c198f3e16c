// An embedding of numbers.
// expect(g++): node \'y\': embedding expects tokens, got numbers from \'x\'; use linear<width> for numbers
// expect(clang): "node \'y\': embedding expects"
// expect(clang): "tokens, got numbers from \'x\'; use"
// expect(clang): "linear<width> for numbers"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = embedding<10, 3>;
#else
using layer = linear<3>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
