// A decoder's targets that are numbers, where it reads and writes tokens.
// expect(g++): shifted_right takes sequences of tokens, and \'std::vector<std::vector<float>>\' has none; give a range of whole numbers, or a range of such ranges
// expect(clang): "shifted_right takes sequences of"
// expect(clang): "tokens, and"
// expect(clang): "\'std::vector<std::vector<float>>\'"
// expect(clang): "has none; give a range of whole"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

#ifdef MISTAKE
using target = std::vector<float>;
#else
using target = std::vector<int>;
#endif
auto use(const std::vector<target>& targets) { return decoding::shifted_right(targets, 1); }
