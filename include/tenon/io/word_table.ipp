// The bodies of word_table.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE long word_table::count_of(std::string_view word) const {
  const int number = find(word);
  return number < 0 ? 0 : count(number);
}

TENON_INLINE void word_table::add(std::string_view word, long times) {
  if (2 * words_.size() >= slots_.size()) grow();
  int& slot = slots_[slot_of(word)];
  if (slot < 0) {
    slot = checked_size("words", words_.size() + 1, "distinct words") - 1;
    words_.push_back(std::string(word));
    counts_.push_back(0);
  }
  counts_[static_cast<std::size_t>(slot)] += times;
}

TENON_INLINE std::size_t word_table::slot_of(std::string_view word) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(word)&mask;
  while (slots_[slot] >= 0 && this->word(slots_[slot]) != word) slot = (slot + 1) & mask;
  return slot;
}

TENON_INLINE void word_table::grow() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), -1);
  for (int number = 0; number < size(); ++number) slots_[slot_of(word(number))] = number;
}

}  // namespace tenon::inline v0_1::detail
