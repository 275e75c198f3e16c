// The bodies of word_vector_files.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace tenon::inline v0_1::io {

TENON_INLINE word_vectors read_word2vec_text(const std::string& path, const word_vector_options& options) {
  const detail::mapped_file file(path);
  return detail::word_vector_parser(path, detail::text_of(file), options).word2vec_text();
}

TENON_INLINE word_vectors read_word2vec_binary(const std::string& path, const word_vector_options& options) {
  const detail::mapped_file file(path);
  return detail::word_vector_parser(path, detail::text_of(file), options).word2vec_binary();
}

TENON_INLINE word_vectors read_glove(const std::string& path, const word_vector_options& options) {
  const detail::mapped_file file(path);
  return detail::word_vector_parser(path, detail::text_of(file), options).glove();
}

}  // namespace tenon::inline v0_1::io

namespace tenon::inline v0_1::detail {

TENON_INLINE void append_word(std::string& bytes, const std::string& path, const std::string& word,
                              view<const float> vector, bool is_text) {
  const std::string_view ends = is_text ? std::string_view(" \t\r\n\0", 5) : std::string_view(" \n");
  if (word.find_first_of(ends) != std::string::npos)
    throw_data_error(
        path,
        {"expected words without blanks and line breaks, which end a word in this format, got '", word, "'"});
  bytes += word;
  if (!is_text) bytes += ' ';
  for (const float number : vector) {
    if (!std::isfinite(number))
      throw_data_error(path, {"expected finite numbers in the vector of '", word, "', got ",
                              std::isnan(number) ? "nan" : "inf"});
    if (is_text) {
      char digits[32];  // the fewest digits from which the same number is read
      char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
      bytes += ' ';
      bytes.append(digits, end);
    } else {
      const auto bits = std::bit_cast<std::uint32_t>(number);
      for (int byte = 0; byte < 4; ++byte) bytes += static_cast<char>(bits >> 8 * byte & 0xFF);
    }
  }
  bytes += '\n';
}

TENON_INLINE void write_word_vectors(const std::string& path, const io::word_vectors& vectors,
                                     word_vector_format format) {
  constexpr std::size_t written_at_once = 1 << 20;
  file_replacement file(path);
  std::string bytes;
  if (format != word_vector_format::glove)
    bytes = message_of({vectors.size(), " ", vectors.dimensions(), "\n"});
  for (int k = 0; k < vectors.size(); ++k) {
    append_word(bytes, path, vectors.word(k), vectors.matrix()[k],
                format != word_vector_format::word2vec_binary);
    if (bytes.size() < written_at_once) continue;
    file.write(bytes.data(), bytes.size());
    bytes.clear();
  }
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace tenon::inline v0_1::detail
