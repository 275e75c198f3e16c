// An option that generate does not have, in the singular.
// expect: generate and greedy take a stream and options by their names in this order
// expect: .start, .end, .max_steps, .choice (.temperature, .top_k, .top_p), .draws, .random
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"word", token<8>, steps<6>>, node<"states", chain<embedding<8, 4>, gru<4>>, "word">,
          node<"logits", linear<8>, "states">, output<"logits">>;
void use(streaming<model>& live) {
#ifdef MISTAKE
  auto write = generate<"word">(live, {.start = 1, .max_step = 5});
#else
  auto write = generate<"word">(live, {.start = 1, .max_steps = 5});
#endif
  write();
  write.more();
}
