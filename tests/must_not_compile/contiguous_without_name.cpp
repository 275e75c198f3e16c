// One long range of tokens without the name of its input.
// expect(g++): contiguous takes one long range of tokens or numbers, behind a name: write contiguous<\"input\">(tokens), or of a text contiguous<\"input\">(bytes_of(text))
// expect(clang): error: contiguous takes one long range of tokens or numbers, behind a name: write contiguous<"input">(tokens), or of a text contiguous<"input">(bytes_of(text))
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

#ifdef MISTAKE
auto use(const std::vector<int>& tokens) { return contiguous(tokens); }
#else
auto use(const std::vector<int>& tokens) { return contiguous<"letters">(tokens); }
#endif
