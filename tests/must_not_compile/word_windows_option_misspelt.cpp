// An option that word_windows does not have.
// expect(g++): word_windows takes sentences of word numbers, how many words there are, and options by their names in this order, as in word_windows(sentences, words.size(), {.window = 5}): .window, .negatives, .power, .sample, .random
// expect(clang): word_windows takes sentences of word numbers, how many words there are, and options by their names in this order, as in word_windows(sentences, words.size(), {.window = 5}): .window, .negatives, .power, .sample, .random
#include <tenon/data/word_windows.hpp>

#include <vector>

using namespace tenon;

int rows(const std::vector<std::vector<int>>& sentences) {
#ifdef MISTAKE
  const word_windows data(sentences, 100, {.negative = 5});
#else
  const word_windows data(sentences, 100, {.negatives = 5});
#endif
  return data.of_epoch(1).size();
}
