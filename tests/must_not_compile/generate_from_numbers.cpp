// A prompt of numbers, which are no tokens.
// expect(g++): a prompt is a range of tokens, or for several rows a range of such ranges: write std::vector{7, 4}; of a text, words.encode(words_of(text))
// expect(clang): error: a prompt is a range of tokens, or for several rows a range of such ranges: write std::vector{7, 4}; of a text, words.encode(words_of(text))
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<10>, steps<5>>, node<"e", embedding<10, 4>, "x">,
                    node<"s", gru<4>, "e">, node<"y", linear<10>, "s">, output<"y">>;
void use(streaming<model>& pen) {
  auto write = generate<"x", "y">(pen, {.max_steps = 20});
#ifdef MISTAKE
  write(std::vector{7.0, 4.5});
#else
  write(std::vector{7, 4});
#endif
}
