// A function of the scores alone, where the decoder calls it with what has been written, too.
// expect(g++): the option .adjust is called with a decoding::next_token
// expect(clang): "the option .adjust is called with"
// expect(clang): "a decoding::next_token, and this"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"word", token<8>, steps<6>>, node<"states", chain<embedding<8, 4>, gru<4>>, "word">,
          node<"logits", linear<8>, "states">, output<"logits">>;
void use(streaming<model, batch<5>>& live) {
#ifdef MISTAKE
  const auto adjust = [](std::vector<float>& scores) { scores[3] = 0; };
#else
  const auto adjust = [](const decoding::next_token& next) { next.log_probability[3] = 0; };
#endif
  beam_search<"word">(live, {.start = 1, .max_steps = 5, .adjust = adjust});
}
