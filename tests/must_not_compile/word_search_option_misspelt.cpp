// An option that a list of analogies does not have.
// expect(g++): answer_analogies takes a path, then options by their names, as in search.answer_analogies(path, {.lowercase = true}): .lowercase
// expect(clang): answer_analogies takes a path, then options by their names, as in search.answer_analogies(path, {.lowercase = true}): .lowercase
#include <tenon/data/word_search.hpp>

using namespace tenon;

double share(const io::word_search& search) {
#ifdef MISTAKE
  return search.answer_analogies("questions-words.txt", {.lower = true}).all.share();
#else
  return search.answer_analogies("questions-words.txt", {.lowercase = true}).all.share();
#endif
}
