// A table without the width of its rows.
// expect(g++): node \'y\': embedding<vocabulary, width> needs positive sizes; write the number of tokens, then the width of a row
// expect(clang): "node \'y\': embedding<vocabulary,"
// expect(clang): "width> needs positive sizes; write"
// expect(clang): "the number of tokens, then the"
// expect(clang): "width of a row"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = embedding<10>;
#else
using layer = embedding<10, 4>;
#endif
using model = graph<"model", input<"x", token<10>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
