// The table of parameters that may not change.
// expect(g++): fill_embedding writes into the table, and this one is const; give it get<\"embedded.weight\">(theta) of parameters that are not const
// expect(clang): "fill_embedding writes into the"
#include <tenon/tenon.hpp>
#include <tenon/io/word_vectors.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"words", token<9>, steps<3>>, node<"embedded", embedding<9, 2>, "words">,
                    node<"logits", linear<4>, "embedded">, output<"logits">>;
void use([[maybe_unused]] const parameters<model>& known, [[maybe_unused]] parameters<model>& theta,
         const vocabulary& words, const io::word_vectors& vectors) {
#ifdef MISTAKE
  fill_embedding(get<"embedded.weight">(known), words, vectors);
#else
  fill_embedding(get<"embedded.weight">(theta), words, vectors);
#endif
}
