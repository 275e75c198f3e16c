// An option that a vocabulary does not have, of counts without a name.
// expect(g++): a vocabulary of counts takes options by their names in this order, as in vocabulary(counts, {.max_size = 10000}): .specials, .unknown, .min_count, .max_size
// expect(clang): a vocabulary of counts takes options by their names in this order, as in vocabulary(counts, {.max_size = 10000}): .specials, .unknown, .min_count, .max_size
#include <tenon/tenon.hpp>

#include <string>
#include <vector>

using namespace tenon;

vocabulary words_of_all(const std::vector<std::vector<std::string>>& texts) {
#ifdef MISTAKE
  return vocabulary(word_counts(texts), {.unk = "<unk>"});
#else
  return vocabulary(word_counts(texts), {.specials = {"<unk>"}, .unknown = "<unk>"});
#endif
}
