// The input that the tokens go to is not named.
// expect(g++): generate and greedy take a stream and options by their names in this order, as in greedy<\'token\'>(stream, {.start = 1, .max_steps = 20})
// expect(clang): error: generate and greedy take a stream and options by their names in this order, as in greedy<'token'>(stream, {.start = 1, .max_steps = 20})
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"word", token<8>, steps<6>>, node<"states", chain<embedding<8, 4>, gru<4>>, "word">,
          node<"logits", linear<8>, "states">, output<"logits">>;
void use(streaming<model>& live) {
#ifdef MISTAKE
  auto write = greedy(live, {.start = 1, .max_steps = 5});
#else
  auto write = greedy<"word">(live, {.start = 1, .max_steps = 5});
#endif
  write();
  write.text();
}
