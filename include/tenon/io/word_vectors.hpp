// word_vectors: words, each with a vector of numbers; fill_embedding fills the rows of an embedding with them. For
// files of word vectors see tenon/io/word_vector_files.hpp.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/problem.hpp"
#include "tenon/io/word_table.hpp"
#include "tenon/tensor/range.hpp"
#include "tenon/tensor/view.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {
class word_vector_parser;

// A vocabulary, or any other range of words.
template <class R>
concept WordRange = requires(const R& words) {
  words.begin() != words.end();
  { *words.begin() } -> std::convertible_to<std::string_view>;
};
}  // namespace detail

namespace io {

// Distinct words with numbers 0 .. size-1, and a matrix of float, [words, dimensions], whose row k is the vector of word k.
class word_vectors {
 public:
  // No words. Throws input_error for less than one dimension.
  explicit word_vectors(int dimensions);
  // The words of a vocabulary, or of any range, with the first rows of a matrix, such as a learned
  // embedding: io::word_vectors(known, get<"embedded.weight">(theta)). Throws input_error for more
  // words than rows, and as add does.
  template <detail::WordRange Words, class T>
  word_vectors(const Words& words, view<T> matrix)
      : word_vectors(columns_of(matrix.dimension(), matrix.shape(1))) {
    for (const auto& word : words) {
      if (static_cast<std::size_t>(size()) == matrix.shape(0))
        detail::throw_input_error({"word_vectors: expected at most ", matrix.shape(0),
                                   " words, as the matrix has rows, got more; the first of them is '",
                                   std::string_view(word), "'"});
      add(word, matrix[size()]);
    }
  }

  int size() const { return table_.size(); }
  int dimensions() const { return dimensions_; }
  const std::vector<std::string>& words() const { return table_.words(); }
  // Throws std::out_of_range for a number outside 0 .. size-1.
  const std::string& word(int number) const;
  // Empty if the word is missing.
  std::optional<int> number(std::string_view word) const;

  // [words, dimensions], contiguous; valid until the next add.
  view<float> matrix() { return {numbers_.data(), {size(), dimensions_}}; }
  view<const float> matrix() const { return {numbers_.data(), {size(), dimensions_}}; }
  // The vector of a word, [dimensions]. Throws std::out_of_range, which names the word, if it is missing.
  view<const float> at(std::string_view word) const;

  // Throws input_error for a word that exists already or is empty, and for a wrong number of numbers.
  template <detail::SizedRange Numbers>
  void add(std::string_view word, const Numbers& numbers) {
    check_new(word, static_cast<std::size_t>(std::size(numbers)));
    float* to = append(word);
    for (const auto& number : numbers) *to++ = static_cast<float>(number);
  }
  void reserve(long words) {
    numbers_.reserve(static_cast<std::size_t>(words) * static_cast<std::size_t>(dimensions_));
  }

 private:
  friend class detail::word_vector_parser;

  static int columns_of(std::size_t rank, std::size_t columns);
  void check_new(std::string_view word, std::size_t count) const;
  // Adds a new word and returns its row, which is zero.
  float* append(std::string_view word);

  int dimensions_;
  detail::word_table table_;
  std::vector<float> numbers_;
};

// Which words fill_embedding found.
struct embedding_coverage {
  int found = 0;                     // words that have a vector
  std::vector<std::string> missing;  // the others, in their order

  double share() const;
};

}  // namespace io

namespace engine {
template <class T>
struct unfit_embedding {
  static constexpr problem wrong = [] {
    if (!std::is_const_v<T>) return problem{};
    return problem{.rule = "fill_embedding writes into the table, and this one is const",
                   .fix = "give it get<\"embedded.weight\">(theta) of parameters that are not const"};
  }();
};

void check_table(std::size_t rank, std::size_t rows, std::size_t columns, std::size_t words, int dimensions);
}  // namespace engine

namespace io {

// Row k of a table := the vector of word k of a vocabulary, or of any range of words:
// fill_embedding(get<"embedded.weight">(theta), known, vectors). The rows of missing words, and rows after the last
// word, are unchanged. Throws input_error, and changes nothing, if the table, [rows, columns], has fewer rows than
// there are words, or if its columns differ from the vectors' dimensions.
template <class T, detail::WordRange Words>
embedding_coverage fill_embedding(view<T> table, const Words& words, const word_vectors& vectors) {
  if constexpr (engine::unfit_embedding<T>::wrong) {
    tenon::detail::say<tenon::detail::error_in<engine::unfit_embedding<T>>>();
    return {};
  } else {
    std::vector<int> rows;  // by word; -1: missing
    embedding_coverage coverage;
    for (const auto& word : words) {
      rows.push_back(vectors.number(word).value_or(-1));
      if (rows.back() < 0) coverage.missing.push_back(std::string(word));
      else ++coverage.found;
    }
    engine::check_table(table.dimension(), table.shape(0), table.shape(1), rows.size(), vectors.dimensions());
    const view<const float> matrix = vectors.matrix();
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (int j = 0; rows[k] >= 0 && j < vectors.dimensions(); ++j)
        table(k, j) = static_cast<T>(matrix(rows[k], j));
    return coverage;
  }
}

}  // namespace io

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/io/word_vectors.ipp"
#endif
