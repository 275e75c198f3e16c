// An option that forced_decoding does not have.
// expect(g++): forced_decoding takes a stream and options by their names in this order, as in forced_decoding<\'token\'>(stream, {.start = 1, .max_steps = 20}): .start, .max_steps
// expect(clang): forced_decoding takes a stream and options by their names in this order, as in forced_decoding<'token'>(stream, {.start = 1, .max_steps = 20}): .start, .max_steps
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using writer =
    graph<"writer", input<"word", token<9>, steps<4>>, node<"embedded", embedding<9, 3>, "word">,
          node<"states", lstm<4>, "embedded">, node<"logits", linear<9>, "states">, output<"logits">>;
void use(streaming<writer>& live) {
#ifdef MISTAKE
  forced_decoding<"word">(live, {.begin = 1, .max_steps = 4});
#else
  forced_decoding<"word">(live, {.start = 1, .max_steps = 4});
#endif
}
