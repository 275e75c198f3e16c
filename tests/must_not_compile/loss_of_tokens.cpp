// A loss on tokens.
// expect(g++): node \'loss\': cross_entropy expects numbers, got tokens from \'tokens\'; put an embedding<vocabulary, width>
// expect(clang): "node \'loss\': cross_entropy expects"
// expect(clang): "numbers, got tokens from \'tokens\';"
// expect(clang): "put an embedding<vocabulary,"
// expect(clang): "width>
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
using loss = losses::cross_entropy<"tokens">;
#else
using loss = losses::cross_entropy<"logits">;
#endif
static_assert(check<model, loss>());
