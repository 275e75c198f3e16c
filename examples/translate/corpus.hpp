// Sentences in two languages: read from files, or made by a small grammar; and as numbers, for a model of given sizes.
#pragma once

#include "sizes.hpp"

#include <tenon/tenon.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace translation {

using sentence = std::vector<std::string>;  // its words

// Sentence k of one language means sentence k of the other.
struct sentence_pairs {
  std::vector<sentence> source, target;
  std::string source_path = "source", target_path = "target";  // where they are from, for errors
};

inline std::string joined(const sentence& words) {
  std::string line;
  for (const std::string& word : words) line += line.empty() ? word : ' ' + word;
  return line;
}

// Two files of equally many lines, a sentence each, words between spaces. Throws data_error that names the file and the line.
inline sentence_pairs read_pairs(const std::string& source_path, const std::string& target_path) {
  const auto read = [](const std::string& path) {
    std::vector<sentence> all;
    for (const std::string& line : tenon::io::read_lines(path)) {
      all.push_back(tenon::words_of(line));
      if (all.back().empty()) throw tenon::data_error(path + ":" + std::to_string(all.size()) + ": expected a sentence, got an empty line");
    }
    if (all.empty()) throw tenon::data_error(path + ": expected sentences, one on each line, got an empty file");
    return all;
  };
  sentence_pairs pairs{read(source_path), read(target_path), source_path, target_path};
  if (pairs.source.size() != pairs.target.size())
    throw tenon::data_error(target_path + ": expected " + std::to_string(pairs.source.size()) + " lines, one for each of " + source_path + ", got " +
                            std::to_string(pairs.target.size()));
  return pairs;
}

// The pairs for which is_taken(source, target) is true.
template <class F>
sentence_pairs pairs_where(const sentence_pairs& all, F is_taken) {
  sentence_pairs some{{}, {}, all.source_path, all.target_path};
  for (std::size_t k = 0; k < all.source.size(); ++k)
    if (is_taken(all.source[k], all.target[k])) some.source.push_back(all.source[k]), some.target.push_back(all.target[k]);
  return some;
}
// Pairs of a file with a tab in each line, the target in front of it (Tatoeba's English and French, www.manythings.org/anki): lower-cased, words,
// full stops and marks; those that PyTorch's tutorial takes, of fewer than 10 words, in English from a person who is something.
inline sentence_pairs read_tatoeba(const std::string& path) {
  const auto words = [](std::string line) {
    for (const char* blank : {"\xC2\xA0", "\xE2\x80\xAF"})  // French puts them in front of marks
      for (std::size_t at = 0; (at = line.find(blank)) != std::string::npos;) line.replace(at, std::string(blank).size(), " ");
    sentence all = tenon::words_of(line, {.lowercase = true, .split_punctuation = true});
    std::erase_if(all, [](const std::string& word) { return word.size() == 1 && std::string("\"#$%&'()*+,-/:;<=>@[]^_`{|}~").find(word) != std::string::npos; });
    return all;
  };
  const auto is_taken = [](const sentence& french, const sentence& english) {
    if (english.size() < 3 || english.size() > 9 || french.empty() || french.size() > 9) return false;
    const auto is_one_of = [](const std::string& word, std::initializer_list<const char*> some) { return std::find(some.begin(), some.end(), word) != some.end(); };
    return is_one_of(english[0], {"i", "he", "she", "you", "we", "they"}) && is_one_of(english[1], {"am", "m", "is", "s", "are", "re"});
  };
  const auto rows = tenon::io::read_table(path, 2, {.separator = '\t', .quoted = false});
  const auto english = tenon::io::table_column(rows, [&](const tenon::io::table_row& row) { return words(row.fields[0]); });
  const auto french = tenon::io::table_column(rows, [&](const tenon::io::table_row& row) { return words(row.fields[1]); });
  sentence_pairs pairs = pairs_where({french, english, path, path}, is_taken);
  if (pairs.source.empty()) throw tenon::data_error(path + ": expected sentences such as \"I am ..\", \"She's ..\", got none");
  return pairs;
}
// A tenth of the target sentences is held out, with all of their sources: {rest, held out}.
inline std::pair<sentence_pairs, sentence_pairs> split_by_target(const sentence_pairs& all) {
  const auto is_held_out = [](const sentence&, const sentence& target) {
    std::uint32_t hash = 2166136261u;  // FNV-1a
    for (const char c : joined(target)) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash % 10 == 0;
  };
  return {pairs_where(all, std::not_fn(is_held_out)), pairs_where(all, is_held_out)};
}

// What is trained on, what is held out, and the words.
struct corpus {
  sentence_pairs train, held_out;
  tenon::vocabulary source_words, target_words;
};
inline const std::string unknown = "<unk>", start = "<s>", end = "</s>";

// The words that the training has `min_count` times at least, the most frequent ones that a model of these sizes has room for.
inline corpus with_vocabularies(sentence_pairs train, sentence_pairs held_out, const sizes& s, long min_count) {
  const auto known = [&](const std::vector<sentence>& sentences, int most) {
    tenon::word_counts counts;
    for (const sentence& words : sentences) counts.add_all(words);
    return tenon::vocabulary(counts, {.specials = {unknown, start, end}, .unknown = unknown, .min_count = min_count, .max_size = most});
  };
  corpus result{std::move(train), std::move(held_out), {}, {}};
  result.source_words = known(result.train.source, s.source_words);
  result.target_words = known(result.train.target, s.target_words);
  return result;
}

// The numbers of each sentence's words, and that of the end behind them. Throws data_error, which names the file and the line, for a
// sentence that is longer than `most` with its end, and for a word that is unknown to a vocabulary without an unknown token.
inline std::vector<std::vector<int>> encoded(const std::vector<sentence>& sentences, const tenon::vocabulary& words, int most, const std::string& path) {
  const auto last = words.number(end);
  if (!last) throw tenon::data_error("the vocabulary of " + path + " has no end token '" + end + "'; add it to its specials");
  std::vector<std::vector<int>> all;
  for (const sentence& one : sentences) {
    const std::string place = path + ":" + std::to_string(all.size() + 1) + ": ";
    if (static_cast<int>(one.size()) >= most)
      throw tenon::data_error(place + "the sentence has " + std::to_string(one.size()) + " words, and " + std::to_string(most - 1) + " fit with its end");
    try {
      all.push_back(words.encode(one));
    } catch (const std::out_of_range& error) {
      throw tenon::data_error(place + error.what());
    }
    all.back().push_back(*last);
  }
  return all;
}

// A sentence with its end, in the order in which a model reads it.
template <class Model>
std::vector<int> in_reading_order(std::vector<int> words) {
  if (Model::reverses_source) std::reverse(words.begin(), words.end() - 1);
  return words;
}

// Columns "source", "word" and "target" of sentence pairs, for a model.
template <class Model>
auto encoded_pairs(const sentence_pairs& pairs, const corpus& known) {
  auto source = encoded(pairs.source, known.source_words, Model::size.steps, pairs.source_path);
  auto target = encoded(pairs.target, known.target_words, Model::size.steps, pairs.target_path);
  for (auto& words : source) words = in_reading_order<Model>(std::move(words));
  auto before = tenon::decoding::shifted_right(target, known.target_words.at(start));
  return tenon::data_set(tenon::column<"source">(std::move(source)), tenon::column<"word">(std::move(before)), tenon::column<"target">(std::move(target)));
}

// --- a small grammar ---------------------------------------------------------------------------------------------------------------
// Somebody does something with a thing, as German and as English say it: German has three genders and two cases, puts its verb second
// whatever is first, and an infinitive last.
inline sentence_pairs made_sentences(int count, tenon::seed s) {
  struct noun {
    const char *german, *english;
    int gender;  // masculine, feminine, neuter
  };
  static constexpr noun nouns[]{{"hund", "dog", 0},   {"mann", "man", 0},     {"vogel", "bird", 0}, {"baum", "tree", 0}, {"katze", "cat", 1}, {"frau", "woman", 1},
                                {"blume", "flower", 1}, {"haus", "house", 2}, {"kind", "child", 2}, {"pferd", "horse", 2}};
  struct verb {
    const char *german, *german_infinitive, *english, *english_infinitive;
  };
  static constexpr verb verbs[]{{"sieht", "sehen", "sees", "see"}, {"sucht", "suchen", "seeks", "seek"}, {"findet", "finden", "finds", "find"}, {"malt", "malen", "paints", "paint"}};
  struct pair_of_words {
    const char *german, *english;
  };
  static constexpr pair_of_words adjectives[]{{"klein", "small"}, {"alt", "old"}, {"rot", "red"}, {"schnell", "fast"}};
  static constexpr pair_of_words times[]{{"heute", "today"}, {"morgens", "in the morning"}, {"oft", "often"}};
  static constexpr const char* articles[2][3]{{"der", "die", "das"}, {"den", "die", "das"}};
  static constexpr const char* endings[2][3]{{"e", "e", "e"}, {"en", "e", "e"}};

  sentence_pairs pairs;
  tenon::backend::random_stream random(s.value, 0);
  const auto one_of = [&](const auto& some) -> const auto& { return some[random.below(static_cast<std::uint32_t>(std::size(some)))]; };
  for (int k = 0; k < count; ++k) {
    std::string german[2], english[2];  // who, and whom
    for (int accusative = 0; accusative < 2; ++accusative) {
      const noun& n = one_of(nouns);
      german[accusative] = articles[accusative][n.gender], english[accusative] = "the";
      if (random.below(2) == 0) {
        const pair_of_words& adjective = one_of(adjectives);
        german[accusative] += std::string(" ") + adjective.german + endings[accusative][n.gender];
        english[accusative] += std::string(" ") + adjective.english;
      }
      german[accusative] += std::string(" ") + n.german, english[accusative] += std::string(" ") + n.english;
    }
    const verb& v = one_of(verbs);
    const bool wants = random.below(3) == 0, has_time = random.below(2) == 0;
    const std::string finite = wants ? "will" : v.german, last = wants ? std::string(" ") + v.german_infinitive : "";
    const std::string does = wants ? std::string("wants to ") + v.english_infinitive : v.english;
    std::string left = german[0] + " " + finite + " " + german[1] + last + " .", right = english[0] + " " + does + " " + english[1] + " .";
    if (has_time) {
      const pair_of_words& time = one_of(times);
      left = std::string(time.german) + " " + finite + " " + german[0] + " " + german[1] + last + " .";
      right = std::string(time.english) + " " + right;
    }
    pairs.source.push_back(tenon::words_of(left)), pairs.target.push_back(tenon::words_of(right));
  }
  return pairs;
}

}  // namespace translation
