// A padding row before the table.
// expect(g++): node \'y\': padding_idx<-2> is not a row of the table; its rows are 0 to 9
// expect(clang): "node \'y\': padding_idx<-2> is not a"
// expect(clang): "row of the table; its rows are 0"
// expect(clang): "to 9"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = embedding<10, 3, padding_idx<-2>>;
#else
using layer = embedding<10, 3, padding_idx<0>>;
#endif
using model = graph<"model", input<"x", token<10>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
