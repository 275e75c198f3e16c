// A linear layer on tokens.
// expect(g++): node \'y\': linear expects numbers, got tokens from \'x\'; put an embedding<vocabulary, width> before it
// expect(clang): "node \'y\': linear expects numbers,"
// expect(clang): "got tokens from \'x\'; put an"
// expect(clang): "embedding<vocabulary, width>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<3>;
#else
using layer = embedding<10, 3>;
#endif
using model = graph<"model", input<"x", token<10>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
