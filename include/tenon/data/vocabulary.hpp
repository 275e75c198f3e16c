// vocabulary: words (or labels) and their numbers 0 .. size-1.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

class vocabulary {
 public:
  vocabulary() = default;
  // The distinct words, in alphabetical order.
  explicit vocabulary(std::vector<std::string> words) {
    std::sort(words.begin(), words.end());
    for (std::string& word : words)
      if (words_.empty() || words_.back() != word) words_.push_back(std::move(word));
  }

  int size() const { return static_cast<int>(words_.size()); }
  // Throws std::out_of_range for a number outside 0 .. size-1.
  const std::string& word(int number) const {
    if (number < 0 || number >= size())
      throw std::out_of_range("vocabulary: there is no word " + std::to_string(number) + " among its " +
                              std::to_string(size()) + " words");
    return words_[static_cast<std::size_t>(number)];
  }
  // Empty where the word is not known.
  std::optional<int> number(std::string_view word) const {
    const auto found = std::lower_bound(words_.begin(), words_.end(), word);
    if (found == words_.end() || *found != word) return std::nullopt;
    return static_cast<int>(found - words_.begin());
  }

 private:
  std::vector<std::string> words_;  // sorted
};

}  // namespace tenon
