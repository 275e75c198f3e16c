// A text where an input takes tokens.
// expect(g++): input \'x\': text is given, it takes tokens; number its words: words.encode(words_of(text)), words a vocabulary; or bytes_of(text)
// expect(clang): "input \'x\': text is given, it takes"
#include <tenon/tenon.hpp>

#include <string>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<10>, steps<5>>, node<"e", embedding<10, 4>, "x">,
                    node<"s", gru<4>, "e">, node<"y", linear<10>, "s">, output<"y">>;
#ifdef MISTAKE
void use(streaming<model>& live, const std::string& letter) { live.step(letter); }
#else
void use(streaming<model>& live, const std::string& letter) { live.step(bytes_of(letter)); }
#endif
