// The exponent of the length, where a function of it is expected.
// expect(g++): the option .normalization is called with a number of tokens
// expect(clang): "the option .normalization is"
// expect(clang): "called with a number of tokens,"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"word", token<8>, steps<6>>, node<"states", chain<embedding<8, 4>, gru<4>>, "word">,
          node<"logits", linear<8>, "states">, output<"logits">>;
void use(streaming<model, batch<5>>& live) {
#ifdef MISTAKE
  beam_search<"word">(live, {.start = 1, .max_steps = 5, .normalization = 0.6});
#else
  beam_search<"word">(live, {.start = 1, .max_steps = 5, .normalization = decoding::by_length(0.6)});
#endif
}
