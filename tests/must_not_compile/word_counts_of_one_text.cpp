// A text where words are counted.
// expect(g++): word_counts counts words, and one text is given; write word_counts(words_of(text))
// expect(clang): word_counts counts words, and one text is given; write word_counts(words_of(text))
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
word_counts counted("a rose is a rose");
#else
word_counts counted(words_of("a rose is a rose"));
#endif
