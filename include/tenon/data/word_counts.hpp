// word_counts: how often each word occurs in a text, from which a vocabulary is made.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/io/word_table.hpp"
#include "tenon/tensor/range.hpp"

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {
// Several texts, each a range of words. A template, so that words in braces are one text.
template <class R>
concept Texts = SizedRange<R> && SizedRange<element_of<R>> && OneText<element_of<element_of<R>>>;
// Words in braces or in an array. Overload resolution prefers this to a class that braces
// initialise: {"a"} could be a text.
template <class Word, std::size_t N>
requires OneText<Word> std::vector<std::string> words_in(const Word (&words)[N]) {
  return {std::begin(words), std::end(words)};
}
}  // namespace detail

class word_counts {
 public:
  word_counts() = default;
  explicit word_counts(const std::vector<std::string>& words) { add_all(words); }
  template <detail::OneText Word, std::size_t N>
  explicit word_counts(const Word (&words)[N]) : word_counts(detail::words_in(words)) {}
  // Counts several texts, each a range of words.
  template <detail::Texts Words>
  explicit word_counts(const Words& texts) {
    add_all(texts);
  }
  // Only the rows at these positions, as split gives them; a row is a text, or a word. Throws input_error if there is no
  // such row.
  template <detail::Texts Words>
  word_counts(const Words& texts, const std::vector<int>& rows) {
    for (int row : rows) add_all(texts[position(row, std::size(texts))]);
  }
  word_counts(const std::vector<std::string>& words, const std::vector<int>& rows) {
    for (int row : rows) add(words[position(row, words.size())]);
  }
#define TENON_SENTENCE "word_counts counts words, and one text is given; write word_counts(words_of(text))"
  template <TENON_SAYS_AND(TENON_SENTENCE) detail::OneText Text>
  explicit word_counts(const Text&) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE "put the words into inner braces: write word_counts({\"a\", \"b\"})"
  template <TENON_SAYS_AND(TENON_SENTENCE) std::size_t... N>
  requires(sizeof...(N) > 1) explicit word_counts(const char (&... words)[N]) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // Throws input_error for negative times.
  void add(std::string_view word, long times = 1);
  void add_all(const std::vector<std::string>& words) {
    for (const std::string& word : words) add(word);
  }
  template <detail::Texts Words>
  void add_all(const Words& texts) {
    for (const auto& words : texts)
      for (const auto& word : words) add(word);
  }
#define TENON_SENTENCE \
  "add_all takes words, and one text is given; write add_all(words_of(text)), or add(word)"
  template <TENON_SAYS_AND(TENON_SENTENCE) detail::OneText Text>
  void add_all(const Text&) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // 0 for a word that was not added.
  long count(std::string_view word) const { return table_.count_of(word); }
  int size() const { return table_.size(); }  // distinct words
  long total() const { return total_; }

  // The distinct words in the order in which they were added first, and how often each was added.
  const std::vector<std::string>& words() const { return table_.words(); }
  const std::vector<long>& counts() const { return table_.counts(); }

 private:
  friend class vocabulary;

  static std::size_t position(int row, std::size_t rows);

  detail::word_table table_;
  long total_ = 0;
};

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/data/word_counts.ipp"
#endif
