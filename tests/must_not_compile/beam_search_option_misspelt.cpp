// An option of another library's beam search.
// expect: beam_search takes a stream and options by their names in this order
// expect: .width, .start, .end, .max_steps, .best, .normalization
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"word", token<8>, steps<6>>, node<"states", chain<embedding<8, 4>, gru<4>>, "word">,
          node<"logits", linear<8>, "states">, output<"logits">>;
void use(streaming<model, batch<5>>& live) {
#ifdef MISTAKE
  auto search = beam_search<"word">(live, {.num_beams = 5, .start = 1, .max_steps = 5});
#else
  auto search = beam_search<"word">(live, {.width = 5, .start = 1, .max_steps = 5});
#endif
  search();
  search.best();
}
