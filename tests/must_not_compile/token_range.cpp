// An input of no tokens.
// expect(g++): node \'x\': token<0> has no tokens; write the size of the vocabulary
// expect(clang): "node \'x\': token<0> has no tokens;"
// expect(clang): "write the size of the vocabulary"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", token<0>>, node<"y", embedding<4, 2>, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", token<4>>, node<"y", embedding<4, 2>, "x">, output<"y">>;
#endif
static_assert(check<model>());
