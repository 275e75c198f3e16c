// A text for a column.
// expect(g++): column \'x\': one text is given, where each row has a value; give the tokens of each row, words.encode(words_of(lines)), words a vocabulary; or cut one long text, contiguous<\"x\">(bytes_of(text))
// expect(clang): "column \'x\': one text is given,"
#include <tenon/tenon.hpp>

#include <string>
#include <vector>

using namespace tenon;

#ifdef MISTAKE
auto use(const std::string& text) { return column<"x">(text); }
#else
auto use(const vocabulary& words, const std::vector<std::string>& lines) {
  return column<"x">(words.encode(words_of(lines)));
}
#endif
