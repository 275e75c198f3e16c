// An option that words_of does not have.
// expect(g++): words_of takes a line or several, then options by their names in this order, as in words_of(line, {.lowercase = true}): .lowercase, .split_punctuation
// expect(clang): words_of takes a line or several, then options by their names in this order, as in words_of(line, {.lowercase = true}): .lowercase, .split_punctuation
#include <tenon/tenon.hpp>

#include <string>
#include <vector>

using namespace tenon;

std::vector<std::string> words(const std::string& line) {
#ifdef MISTAKE
  return words_of(line, {.lowercased = true});
#else
  return words_of(line, {.lowercase = true});
#endif
}
