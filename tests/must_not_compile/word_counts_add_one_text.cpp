// A text that is added as words.
// expect(g++): add_all takes words, and one text is given; write add_all(words_of(text)), or add(word)
// expect(clang): error: add_all takes words, and one text is given; write add_all(words_of(text)), or add(word)
#include <tenon/tenon.hpp>

#include <string>

using namespace tenon;

#ifdef MISTAKE
void use(word_counts& counted, const std::string& text) { counted.add_all(text); }
#else
void use(word_counts& counted, const std::string& text) { counted.add_all(words_of(text)); }
#endif
