// vocabulary: words (or labels) and their numbers 0 .. size-1, with special tokens and counts;
// it can be saved in a file.
#pragma once

#include "tenon/data/vocabulary_file.hpp"
#include "tenon/data/word_counts.hpp"
#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/problem.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/io/file.hpp"

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1 {

namespace io {
struct vocabulary_options {
  std::vector<std::string> specials = {};  // these have the first numbers, in this order, counted or not
  std::string unknown = {};  // the special that replaces words outside the vocabulary; empty: none
  long min_count = 1;        // rarer words are left out
  int max_size = 0;          // of the vocabulary, specials included; 0: no bound
};
#define TENON_MEMBERS_OF_VOCABULARY_OPTIONS ".specials, .unknown, .min_count, .max_size"
}  // namespace io

namespace detail {
// Counts, named or temporary, as the last choice among the overloads.
struct given_counts {
  given_counts(const word_counts&);
};
}  // namespace detail

class vocabulary {
 public:
  vocabulary() = default;
  // The distinct words in alphabetical order (that of their bytes): for labels.
  explicit vocabulary(const std::vector<std::string>& words) {
    append_all(word_counts(words).table_, {}, false);
  }
  template <detail::OneText Word, std::size_t N>
  explicit vocabulary(const Word (&words)[N]) : vocabulary(detail::words_in(words)) {}
  // The same for the words of several texts, such as the tags of sentences.
  template <detail::Texts Words>
  explicit vocabulary(const Words& texts) {
    append_all(word_counts(texts).table_, {}, false);
  }
  // The specials, then the other words by falling count, those of equal count in alphabetical order: for texts. Throws
  // input_error for options that contradict each other.
  explicit vocabulary(const word_counts& counts, const io::vocabulary_options& options = {});

#define TENON_SENTENCE                                                                               \
  "a vocabulary is made of words, std::vector<std::string>, or of word_counts and its options; how " \
  "many words it takes at most is .max_size"
  template <TENON_SAYS_AND(TENON_SENTENCE) std::integral Count>
  explicit vocabulary(Count) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                                           \
  "a vocabulary of counts takes options by their names in this order, as in vocabulary(counts, " \
  "{.max_size = 10000}): " TENON_MEMBERS_OF_VOCABULARY_OPTIONS
  TENON_SAYS(TENON_SENTENCE) vocabulary(detail::given_counts, ...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                                          \
  "a vocabulary is made of words, and one text is given; write vocabulary(words_of(text)), or " \
  "vocabulary::load(path)"
  template <TENON_SAYS_AND(TENON_SENTENCE) detail::OneText Text>
  explicit vocabulary(const Text&) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE "put the words into inner braces: write vocabulary({\"a\", \"b\"})"
  template <TENON_SAYS_AND(TENON_SENTENCE) std::size_t... N>
  requires(sizeof...(N) > 1) explicit vocabulary(const char (&... words)[N]) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE

  int size() const { return table_.size(); }
  // Throws std::out_of_range for a number outside 0 .. size-1.
  const std::string& word(int number) const;
  // Empty if the word is not known.
  std::optional<int> number(std::string_view word) const;
  // The number of the unknown token, if there is one.
  std::optional<int> unknown() const { return unknown_; }
  // The number of a word, or of the unknown token if the word is not known. Throws std::out_of_range, naming the word
  // and the most similar known word, if there is no unknown token.
  int at(std::string_view word) const;
  // at() of each word, and word() of each number; for several texts, of each of them.
  std::vector<int> encode(const std::vector<std::string>& words) const;
  template <detail::Texts Words>
  std::vector<std::vector<int>> encode(const Words& texts) const {
    std::vector<std::vector<int>> numbers;
    numbers.reserve(std::size(texts));
    for (const auto& words : texts) {
      numbers.emplace_back();
      for (const auto& word : words) numbers.back().push_back(at(word));
    }
    return numbers;
  }
#define TENON_SENTENCE "encode takes words, and one text is given; write encode(words_of(text)), or at(word)"
  template <TENON_SAYS_AND(TENON_SENTENCE) detail::OneText Text>
  std::vector<int> encode(const Text&) const TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
  std::vector<std::string> decode(std::span<const int> numbers) const;
#define TENON_SENTENCE "decode takes numbers, and one is given; write word(number)"
  template <TENON_SAYS_AND(TENON_SENTENCE) std::integral Number>
  std::vector<std::string> decode(Number) const TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // The same as one text, with `between` between two words; for characters use text(numbers, "").
  std::string text(std::span<const int> numbers, std::string_view between = " ") const;

  // How often each word occurred, by number; and how often one word did, 0 if it is not known.
  const std::vector<long>& counts() const { return table_.counts(); }
  long count(std::string_view word) const { return table_.count_of(word); }

  // The words by number.
  auto begin() const { return table_.words().begin(); }
  auto end() const { return table_.words().end(); }

  // Writes it as text, see vocabulary_file.hpp. The file is replaced as a whole. Throws
  // data_error if it cannot be written.
  void save(const std::string& path) const { detail::write_vocabulary(path, table_, unknown_); }
  // Reads what `save` writes; lines may also end with CR LF. Throws data_error, which names file and line, for anything
  // else.
  static vocabulary load(const std::string& path);

 private:
  static void check(const io::vocabulary_options& options);

  // Adds the words that the options admit and that are not there yet. One function for both orders, because each
  // instantiation of std::sort costs compile time in every program.
  void append_all(const detail::word_table& from, const io::vocabulary_options& options, bool by_count);

  [[noreturn, gnu::cold]] void refuse_unknown(std::string_view word) const;

  detail::word_table table_;
  std::optional<int> unknown_;
};

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/data/vocabulary.ipp"
#endif
