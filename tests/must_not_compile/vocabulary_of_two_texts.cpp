// The words of a vocabulary as its arguments.
// expect(g++): put the words into inner braces: write vocabulary({\"a\", \"b\"})
// expect(clang): put the words into inner braces: write vocabulary({"a", "b"})
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
vocabulary labels{"noun", "verb"};
#else
vocabulary labels({"noun", "verb"});
#endif
