// The words of a vocabulary as its arguments.
// expect(g++): words stand in braces of their own: write vocabulary({\"a\", \"b\"})
// expect(clang): words stand in braces of their own: write vocabulary({"a", "b"})
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
vocabulary labels{"noun", "verb"};
#else
vocabulary labels({"noun", "verb"});
#endif
