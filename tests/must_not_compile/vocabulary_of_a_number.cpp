// A vocabulary of so many words, which nothing has counted.
// expect: a vocabulary is made of words, std::vector<std::string>, or of word_counts and its options
#include <tenon/tenon.hpp>

using namespace tenon;

int use(const word_counts& counted) {
#ifdef MISTAKE
  const vocabulary words(3000);
#else
  const vocabulary words(counted, {.max_size = 3000});
#endif
  return words.size() + counted.size();
}
