// A text where one long range of tokens is taken.
// expect(g++): contiguous takes one long range of tokens or numbers, behind a name: write contiguous<\"input\">(tokens), or of a text contiguous<\"input\">(bytes_of(text))
// expect(clang): error: contiguous takes one long range of tokens or numbers, behind a name: write contiguous<"input">(tokens), or of a text contiguous<"input">(bytes_of(text))
#include <tenon/tenon.hpp>

#include <string>

using namespace tenon;

#ifdef MISTAKE
auto use(const std::string& text) { return contiguous<"letters">(text); }
#else
auto use(const std::string& text) { return contiguous<"letters">(bytes_of(text)); }
#endif
