// A prompt that is a text.
// expect(g++): a prompt is a range of tokens, or for several rows a range of such ranges: write std::vector{7, 4}; of a text, words.encode(words_of(text))
// expect(clang): error: a prompt is a range of tokens, or for several rows a range of such ranges: write std::vector{7, 4}; of a text, words.encode(words_of(text))
#include <tenon/tenon.hpp>

#include <string>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<10>, steps<5>>, node<"e", embedding<10, 4>, "x">,
                    node<"s", gru<4>, "e">, node<"y", linear<10>, "s">, output<"y">>;
#ifdef MISTAKE
void use(streaming<model>& pen, const std::string& prompt) {
  auto write = generate<"x", "y">(pen, {.max_steps = 20});
  write(prompt);
}
#else
void use(streaming<model>& pen, const std::string& prompt) {
  auto write = generate<"x", "y">(pen, {.max_steps = 20});
  write(bytes_of(prompt));
}
#endif
