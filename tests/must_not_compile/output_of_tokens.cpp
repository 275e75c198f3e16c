// Tokens as an output: a session shows numbers.
// expect(g++): the output \'words\' holds tokens, which a session returns only as inputs; leave it out
// expect(clang): "the output \'words\' holds tokens,"
// expect(clang): "which a session returns only as"
// expect(clang): "inputs; leave it out, and write"
// expect(clang): "get_input<\"words\">(session)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using shown = output<"words">;
#else
using shown = output<"embedded">;
#endif
using model = graph<"model", input<"words", token<9>, steps<4>>, node<"embedded", embedding<9, 3>, "words">,
                    shown>;
static_assert(check<model>());
