// An option that words_of does not have, of several lines.
// expect(g++): words_of takes a line or several, then options by their names in this order, as in words_of(line, {.lowercase = true}): .lowercase, .split_punctuation
// expect(clang): words_of takes a line or several, then options by their names in this order, as in words_of(line, {.lowercase = true}): .lowercase, .split_punctuation
#include <tenon/tenon.hpp>

#include <string>
#include <vector>

using namespace tenon;

std::vector<std::vector<std::string>> words(const std::vector<std::string>& lines) {
#ifdef MISTAKE
  return words_of(lines, {.punctuation = true});
#else
  return words_of(lines, {.split_punctuation = true});
#endif
}
