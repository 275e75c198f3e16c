// word_vector_parser: the formats of tenon/io/word_vector_files.hpp, read from memory.
#pragma once

#include "tenon/io/blank_fields.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/word_vectors.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>

namespace tenon::inline v0_1 {

namespace detail {
class word_selection {
 public:
  word_selection() = default;
  template <WordRange Words>
  word_selection(const Words& words) : is_given_(true) {
    for (const auto& word : words) table_.add(word, 1);
  }
  bool is_given() const { return is_given_; }
  int size() const { return table_.size(); }
  bool admits(std::string_view word) const { return !is_given_ || table_.find(word) >= 0; }

 private:
  bool is_given_ = false;
  word_table table_;
};
}  // namespace detail

namespace io {

// Which words are read: {.only = known}. Reading ends with the last of them that can occur: the rest of the file, and
// the vectors of words that are left out, are not checked.
struct word_vector_options {
  detail::word_selection only{};  // words of a vocabulary, or of any range of words; without it, all
  long max_words = 0;             // at most this many, the first ones; 0: no bound
  bool spaces_in_words =
      false;  // text: the last numbers of a line are its vector, everything before them is one word
};

}  // namespace io

namespace detail {

// Reads one file, given as its bytes. It allocates for the sizes in the first line only if there are enough bytes.
class word_vector_parser {
 public:
  word_vector_parser(const std::string& path, std::string_view bytes, const io::word_vector_options& options);

  io::word_vectors word2vec_text();

  io::word_vectors glove();

  io::word_vectors word2vec_binary();

 private:
  static constexpr std::int64_t max_dimensions = 1 << 24, max_count = std::int64_t{1} << 31;
  static constexpr long bytes_of_text = 2;  // at least, for a number: a blank and a digit
  struct header {
    long words;
    int dimensions;
  };

  // Are there bytes for this many words? Each word has at least one byte, a separator after it, and its numbers.
  bool fits(std::int64_t words, std::int64_t dimensions, long bytes_of_number) const;
  // How many of this many words may be kept.
  long bound(long words) const;
  bool is_complete(const io::word_vectors& result) const;

  void skip_byte_order_mark() {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }
  header read_header(long bytes_of_number);
  // Checks the number of words, unless reading ended early: it must be that of the first line.
  void check_end(const io::word_vectors& result, long expected, long words) const;

  // A line of text: a word and its numbers.
  void read_line(io::word_vectors& result, const char* source_of_count);
  const char* remedy(long count, int dimensions) const;
  // A decimal number, finite as a float; one that is too small for a float is 0.
  static bool read_number(std::string_view digits, float& value);

  void read_binary_word(io::word_vectors& result, long at);

  std::string_view next_line();
  [[noreturn]] void fail_line(long line, std::initializer_list<message_part> expected, std::string_view got,
                              const char* remedy = "") const;

  const std::string& path_;
  std::string_view rest_;
  const io::word_vector_options& options_;
  long line_ = 0;
  bool starts_with_two_numbers_ = false;
};

}  // namespace detail

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/io/word_vector_parser.ipp"
#endif
