// One number where several become words.
// expect(g++): decode takes numbers, and one is given; write word(number)
// expect(clang): error: decode takes numbers, and one is given; write word(number)
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
auto use(const vocabulary& words) { return words.decode(3); }
#else
auto use(const vocabulary& words) { return words.word(3); }
#endif
