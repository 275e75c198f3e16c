// An input that is written to, by a name that none has.
// expect(g++): the graph has no input \'wrd\'; did you mean \'word\'?
// expect(clang): "the graph has no input \'wrd\'; did
#include <tenon/tenon.hpp>
#include <tenon/decode/decode.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"word", token<8>, steps<6>>, node<"states", chain<embedding<8, 4>, gru<4>>, "word">,
                    node<"logits", linear<8>, "states">, output<"logits">>;
void use(streaming<model>& live) {
#ifdef MISTAKE
  auto write = generate<"wrd">(live, {.start = 1, .max_steps = 5});
#else
  auto write = generate<"word">(live, {.start = 1, .max_steps = 5});
#endif
  write();
  write.more();
}
