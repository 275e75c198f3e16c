// word_counts: how often each word occurs in a text, from which a vocabulary is made.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/io/word_table.hpp"
#include "tenon/tensor/range.hpp"

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

namespace detail {
// Texts, each a range of words. A template, so that words in braces are one text.
template <class R>
concept Texts = SizedRange<R> && SizedRange<element_of<R>> &&
    std::convertible_to<element_of<element_of<R>>, std::string_view>;
}  // namespace detail

class word_counts {
 public:
  word_counts() = default;
  explicit word_counts(const std::vector<std::string>& words) { add_all(words); }
  // Of several texts, each a range of words.
  template <detail::Texts Words>
  explicit word_counts(const Words& texts) {
    add_all(texts);
  }

  // Throws input_error for negative times.
  void add(std::string_view word, long times = 1) {
    if (times < 0)
      detail::throw_input_error({"word_counts: expected '", word, "' at least 0 times, got ", times});
    table_.add(word, times);
    total_ += times;
  }
  void add_all(const std::vector<std::string>& words) {
    for (const std::string& word : words) add(word);
  }
  template <detail::Texts Words>
  void add_all(const Words& texts) {
    for (const auto& words : texts)
      for (const auto& word : words) add(word);
  }

  // 0 for a word that was not added.
  long count(std::string_view word) const { return table_.count_of(word); }
  int size() const { return table_.size(); }  // distinct words
  long total() const { return total_; }

  // The distinct words in the order in which they were added first, and how often each was added.
  const std::vector<std::string>& words() const { return table_.words(); }
  const std::vector<long>& counts() const { return table_.counts(); }

 private:
  friend class vocabulary;

  detail::word_table table_;
  long total_ = 0;
};

}  // namespace tenon
