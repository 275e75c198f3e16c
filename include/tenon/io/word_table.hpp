// word_table: distinct words with their numbers and counts, for look-ups in vocabularies and word vectors.
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1::detail {

// Distinct words with counts, numbered in the order in which they were inserted: a hash table with linear probing.
// (<unordered_map> costs a twentieth of the compile time of all of Tenon.)
class word_table {
 public:
  int size() const { return static_cast<int>(words_.size()); }
  const std::vector<std::string>& words() const { return words_; }
  const std::vector<long>& counts() const { return counts_; }
  const std::string& word(int number) const { return words_[static_cast<std::size_t>(number)]; }
  long count(int number) const { return counts_[static_cast<std::size_t>(number)]; }

  // The number of a word, or -1.
  int find(std::string_view word) const { return slots_.empty() ? -1 : slots_[slot_of(word)]; }
  // 0 for a word that is not there.
  long count_of(std::string_view word) const;

  // Adds to the count of a word; inserts the word if it is missing.
  void add(std::string_view word, long times);

 private:
  // The slot of the word, or else the free slot for it.
  std::size_t slot_of(std::string_view word) const;
  void grow();

  std::vector<std::string> words_;
  std::vector<long> counts_;
  std::vector<int> slots_;  // numbers of words, or -1; a power of two of them, at most half of them used
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/word_table.ipp"
#endif
