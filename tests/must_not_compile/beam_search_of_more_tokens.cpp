// A search whose choices are no tokens of the input that they are written to.
// expect(g++): beam_search: each choice becomes the next token, and input \'word\' takes 9 tokens, got 8; one vocabulary for what is read and written
// expect(clang): "beam_search: each choice becomes
#include <tenon/tenon.hpp>
#include <tenon/decode/decode.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using scores = linear<9>;
#else
using scores = linear<8>;
#endif
using model = graph<"model", input<"word", token<8>, steps<6>>, node<"states", chain<embedding<8, 4>, gru<4>>, "word">,
                    node<"logits", scores, "states">, output<"logits">>;
void use(streaming<model>& live) {
  auto search = beam_search<"word">(live, {.width = 1, .start = 1, .end = 2, .max_steps = 5});
  search();
}
