// The bodies of word_vectors.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <stdexcept>

namespace tenon::inline v0_1::io {

TENON_INLINE word_vectors::word_vectors(int dimensions) : dimensions_(dimensions) {
  if (dimensions < 1)
    detail::throw_input_error({"word_vectors: expected at least 1 dimension, got ", dimensions});
}

TENON_INLINE const std::string& word_vectors::word(int number) const {
  if (number < 0 || number >= size())
    throw std::out_of_range(
        detail::message_of({"word_vectors: there is no word ", number, " among ", size(), " words"}));
  return table_.word(number);
}

TENON_INLINE std::optional<int> word_vectors::number(std::string_view word) const {
  const int found = table_.find(word);
  return found < 0 ? std::nullopt : std::optional(found);
}

TENON_INLINE view<const float> word_vectors::at(std::string_view word) const {
  const int found = table_.find(word);
  if (found < 0)
    throw std::out_of_range(
        detail::message_of({"word_vectors: '", word, "' is not among ", size(), " words"}));
  return matrix()[found];
}

TENON_INLINE int word_vectors::columns_of(std::size_t rank, std::size_t columns) {
  if (rank != 2)
    detail::throw_input_error(
        {"word_vectors: expected a matrix, [words, dimensions], got a tensor of rank ", rank});
  return static_cast<int>(columns);
}

TENON_INLINE void word_vectors::check_new(std::string_view word, std::size_t count) const {
  if (word.empty()) detail::throw_input_error({"word_vectors: expected a word, got an empty one"});
  if (table_.find(word) >= 0)
    detail::throw_input_error({"word_vectors: expected each word once, got '", word, "' again"});
  if (count != static_cast<std::size_t>(dimensions_))
    detail::throw_input_error(
        {"word_vectors: expected ", dimensions_, " numbers for '", word, "', got ", count});
}

TENON_INLINE float* word_vectors::append(std::string_view word) {
  table_.add(word, 0);
  numbers_.resize(numbers_.size() + static_cast<std::size_t>(dimensions_));
  return numbers_.data() + numbers_.size() - dimensions_;
}

TENON_INLINE double embedding_coverage::share() const {
  const auto all = static_cast<double>(found) + static_cast<double>(missing.size());
  return all > 0 ? found / all : 0;
}

}  // namespace tenon::inline v0_1::io

namespace tenon::inline v0_1::engine {

TENON_INLINE void check_table(std::size_t rank, std::size_t rows, std::size_t columns, std::size_t words,
                              int dimensions) {
  const char* const start = "fill_embedding: expected ";
  if (rank != 2)
    tenon::detail::throw_input_error({start, "a table, [rows, columns], got a tensor of rank ", rank});
  if (columns != static_cast<std::size_t>(dimensions))
    tenon::detail::throw_input_error(
        {start, "a table of ", dimensions, " columns, as the vectors have dimensions, got ", columns});
  if (words > rows)
    tenon::detail::throw_input_error({start, "at most ", rows, " words, as the table has rows, got ", words});
}

}  // namespace tenon::inline v0_1::engine
