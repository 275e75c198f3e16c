// The bodies of word_vector_parser.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"
#include "tenon/system/from_chars.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tenon::inline v0_1::detail {

TENON_INLINE word_vector_parser::word_vector_parser(const std::string& path, std::string_view bytes,
                                                    const io::word_vector_options& options)
    : path_(path), rest_(bytes), options_(options) {
  if (options.max_words < 0)
    throw_input_error({"word vectors: expected a max_words of at least 0, got ", options.max_words});
}

TENON_INLINE io::word_vectors word_vector_parser::word2vec_text() {
  const header head = read_header(bytes_of_text);
  io::word_vectors result(head.dimensions);
  result.reserve(bound(head.words));
  long words = 0;
  for (; words < head.words && !is_complete(result); ++words) {
    if (rest_.empty()) break;
    read_line(result, ", as line 1 says");
  }
  check_end(result, head.words, words);
  return result;
}

TENON_INLINE io::word_vectors word_vector_parser::glove() {
  skip_byte_order_mark();
  std::string_view rest = rest_;
  const std::string_view first = take_line(rest);
  const long numbers = count_fields(first) - 1;
  if (numbers < 1 || numbers > max_dimensions) fail_line(1, {"expected a word and its numbers"}, first);
  starts_with_two_numbers_ = numbers == 1 && parse_whole_number(field_at_front(first)) >= 0;
  io::word_vectors result(static_cast<int>(numbers));
  const long lines = line_breaks_in(rest_);
  if (fits(lines, numbers, bytes_of_text)) result.reserve(bound(lines));  // else reading finds the error
  while (!rest_.empty() && !is_complete(result)) read_line(result, ", as in line 1");
  return result;
}

TENON_INLINE io::word_vectors word_vector_parser::word2vec_binary() {
  const header head = read_header(sizeof(float));
  io::word_vectors result(head.dimensions);
  result.reserve(bound(head.words));
  long words = 0;
  while (words < head.words && !is_complete(result)) {
    while (rest_.starts_with('\n')) rest_.remove_prefix(1);
    if (rest_.empty()) break;
    read_binary_word(result, ++words);
  }
  if (words == head.words)
    while (rest_.starts_with('\n')) rest_.remove_prefix(1);
  check_end(result, head.words, words);
  return result;
}

TENON_INLINE bool word_vector_parser::fits(std::int64_t words, std::int64_t dimensions,
                                           long bytes_of_number) const {
  const std::size_t each =
      2 + static_cast<std::size_t>(dimensions) * static_cast<std::size_t>(bytes_of_number);
  return static_cast<std::size_t>(words) <= rest_.size() / each;
}

TENON_INLINE long word_vector_parser::bound(long words) const {
  if (options_.only.is_given()) words = std::min<long>(words, options_.only.size());
  return options_.max_words > 0 ? std::min(words, options_.max_words) : words;
}

TENON_INLINE bool word_vector_parser::is_complete(const io::word_vectors& result) const {
  return (options_.max_words > 0 && result.size() == options_.max_words) ||
         (options_.only.is_given() && result.size() == options_.only.size());
}

TENON_INLINE word_vector_parser::header word_vector_parser::read_header(long bytes_of_number) {
  skip_byte_order_mark();
  const std::string_view first = next_line();
  std::string_view fields = first;
  const std::int64_t words = parse_whole_number(take_field(fields)),
                     dimensions = parse_whole_number(take_field(fields));
  if (words < 0 || dimensions < 0 || !fields.empty())
    fail_line(1, {"expected the number of words and of dimensions, such as '3000000 300'"}, first,
              "; a file without this line is GloVe's, which io::read_glove reads");
  if (dimensions < 1 || dimensions > max_dimensions)
    throw_data_error(path_, 1, {"expected 1 to ", max_dimensions, " dimensions, got ", dimensions});
  if (words >= max_count)
    throw_data_error(path_, 1, {"expected less than ", max_count, " words, got ", words});
  if (!fits(words, dimensions, bytes_of_number))
    throw_data_error(path_, 1,
                     {"expected ", words, " words of ", dimensions, " numbers, as this line says, of ",
                      2 + bytes_of_number * dimensions, " bytes at least each, got ", rest_.size(),
                      " bytes; the file is not complete"});
  return {static_cast<long>(words), static_cast<int>(dimensions)};
}

TENON_INLINE void word_vector_parser::check_end(const io::word_vectors& result, long expected,
                                                long words) const {
  if (is_complete(result)) return;
  if (words < expected)
    throw_data_error(
        path_, 1,
        {"expected ", expected, " words, as this line says, got ", words, "; the file is not complete"});
  if (!rest_.empty())
    throw_data_error(
        path_, 1,
        {"expected ", expected, " words, as this line says, got ", rest_.size(), " more bytes behind them"});
}

TENON_INLINE void word_vector_parser::read_line(io::word_vectors& result, const char* source_of_count) {
  if (rest_.find('\n') == std::string_view::npos)
    throw_data_error(path_, line_ + 1,
                     {"expected a line break at the end of the file, got none; the file is not complete"});
  const std::string_view line = next_line();
  std::string_view numbers = line, word;
  if (options_.spaces_in_words) {
    for (int k = 0; k < result.dimensions(); ++k) drop_field_at_back(numbers);
    word = trimmed(numbers);
    numbers = line.substr(numbers.size());
  } else {
    word = field_at_front(numbers);
    numbers.remove_prefix(word.size());
  }
  if (!options_.only.admits(word)) return;
  if (line.find('\0') != std::string_view::npos)
    throw_data_error(
        path_, line_,
        {"expected text, got a zero byte; io::read_word2vec_binary reads word2vec's binary format"});
  if (word.empty()) fail_line(line_, {"expected a word and ", result.dimensions(), " numbers"}, line);
  if (result.number(word))
    throw_data_error(path_, line_, {"expected each word once, got '", shortened(word), "' again"});

  float* const to = result.append(word);
  long count = 0;
  std::string_view wrong;
  for (std::string_view rest = numbers; !rest.empty(); ++count)
    if (const std::string_view digits = take_field(rest);
        count < result.dimensions() && !read_number(digits, to[count]) && wrong.empty())
      wrong = digits;
  if (count != result.dimensions())
    throw_data_error(path_, line_,
                     {"expected ", result.dimensions(), " numbers behind '", shortened(word), "'",
                      source_of_count, ", got ", count, remedy(count, result.dimensions())});
  if (!wrong.empty())
    throw_data_error(
        path_, line_,
        {"expected finite numbers in the vector of '", shortened(word), "', got '", shortened(wrong), "'"});
}

TENON_INLINE const char* word_vector_parser::remedy(long count, int dimensions) const {
  if (starts_with_two_numbers_ && line_ == 2)
    return "; a file whose first line has two numbers is word2vec's, which io::read_word2vec_text reads";
  return count > dimensions ? "; .spaces_in_words = true takes words with blanks" : "";
}

TENON_INLINE bool word_vector_parser::read_number(std::string_view digits, float& value) {
  const char* const end = digits.data() + digits.size();
  auto [stop, error] = from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    const bool is_small =
        digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
    double wide = is_small ? 0 : INFINITY;
    from_chars(digits.data(), end, wide);
    value = static_cast<float>(wide);
    error = std::errc();
  }
  return error == std::errc() && stop == end && std::isfinite(value);
}

TENON_INLINE void word_vector_parser::read_binary_word(io::word_vectors& result, long at) {
  const std::size_t size = rest_.find(' ');
  const std::string_view word = rest_.substr(0, size);
  const auto fail = [&](std::initializer_list<message_part> problem) {
    throw_data_error(path_, {"word ", at, ": ", message_of(problem)});
  };
  if (size == std::string_view::npos)
    fail({"expected a blank behind '", shortened(word), "', got the end of the file"});
  if (word.empty()) fail({"expected a word before the blank, got none"});
  if (word.find('\n') != std::string_view::npos)
    fail({"expected a word without a line break, got '", shortened(word),
          "'; io::read_word2vec_text reads the text format"});
  rest_.remove_prefix(size + 1);
  const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(result.dimensions());
  if (rest_.size() < bytes)
    fail({"expected ", bytes, " bytes of numbers behind '", shortened(word), "', got ", rest_.size(),
          "; the file is not complete"});
  const char* from = rest_.data();
  rest_.remove_prefix(bytes);
  if (!options_.only.admits(word)) return;
  if (result.number(word)) fail({"expected each word once, got '", shortened(word), "' again"});
  float* const to = result.append(word);
  for (int k = 0; k < result.dimensions(); ++k, from += sizeof(float)) {
    std::uint32_t bits = 0;
    for (int byte = 0; byte < 4; ++byte)
      bits |= std::uint32_t{static_cast<unsigned char>(from[byte])} << 8 * byte;
    to[k] = std::bit_cast<float>(bits);
    if (!std::isfinite(to[k]))
      fail({"expected finite numbers in the vector of '", shortened(word), "', got ",
            std::isnan(to[k]) ? "nan" : "inf", " as number ", k + 1});
  }
}

TENON_INLINE std::string_view word_vector_parser::next_line() {
  ++line_;
  return take_line(rest_);
}

TENON_INLINE void word_vector_parser::fail_line(long line, std::initializer_list<message_part> expected,
                                                std::string_view got, const char* remedy) const {
  throw_data_error(path_, line, {message_of(expected), ", got '", shortened(got), "'", remedy});
}

}  // namespace tenon::inline v0_1::detail
