// Reads a table and makes a vocabulary of it, which is saved and loaded.
#include "words.hpp"

#include <tenon/data.hpp>

examples examples_in(const std::string& path) {
  std::vector<std::vector<std::string>> texts, labels;
  for (const auto& row : tenon::io::read_table(path, 2, {.has_header = true})) {
    texts.push_back(tenon::words_of(row.fields[0], {.lowercase = true}));
    labels.push_back({row.fields[1]});
  }
  const tenon::vocabulary words(tenon::word_counts(texts), {.specials = {"<unk>"}, .unknown = "<unk>"});
  words.save(path + ".words");
  examples all{{}, {}, tenon::vocabulary::load(path + ".words")};
  const tenon::vocabulary kinds(labels);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    all.words.push_back(all.vocabulary.encode(texts[k]));
    all.labels.push_back(kinds.at(labels[k][0]));
  }
  return all;
}
