// A text where words are numbered.
// expect(g++): encode takes words, and one text is given; write encode(words_of(text)), or at(word)
// expect(clang): error: encode takes words, and one text is given; write encode(words_of(text)), or at(word)
#include <tenon/tenon.hpp>

#include <string>

using namespace tenon;

#ifdef MISTAKE
auto use(const vocabulary& words, const std::string& text) { return words.encode(text); }
#else
auto use(const vocabulary& words, const std::string& text) { return words.encode(words_of(text)); }
#endif
