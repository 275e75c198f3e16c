// The words to be counted as arguments.
// expect(g++): put the words into inner braces: write word_counts({\"a\", \"b\"})
// expect(clang): put the words into inner braces: write word_counts({"a", "b"})
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
word_counts counted{"a", "rose"};
#else
word_counts counted({"a", "rose"});
#endif
