// A table with fewer rows than there are tokens.
// expect(g++): node \'y\': the table has rows for 10 tokens, got 20 from \'x\'; write embedding<20, 3>
// expect(clang): "node \'y\': the table has rows for"
// expect(clang): "10 tokens, got 20 from \'x\'; write"
// expect(clang): "embedding<20, 3>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = embedding<10, 3>;
#else
using layer = embedding<20, 3>;
#endif
using model = graph<"model", input<"x", token<20>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
