// A text where a vocabulary takes words.
// expect(g++): a vocabulary is made of words, and one text is given; write vocabulary(words_of(text)), or vocabulary::load(path)
// expect(clang): a vocabulary is made of words, and one text is given; write vocabulary(words_of(text)), or vocabulary::load(path)
#include <tenon/tenon.hpp>

#include <string>

using namespace tenon;

#ifdef MISTAKE
auto use(const std::string& text) { return vocabulary(text); }
#else
auto use(const std::string& text) { return vocabulary(words_of(text)); }
#endif
