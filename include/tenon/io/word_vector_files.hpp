// Files of word vectors: word2vec's text and binary formats (Mikolov et al. 2013, the tool of that name)
// and GloVe's text (Pennington et al. 2014). Files are mapped, not read whole: of millions of words, only
// those that are kept need memory.
//   word2vec, text:    "words dimensions" LF, then for each word: word, numbers between blanks, LF
//   word2vec, binary:  "words dimensions" LF, then for each word: word, blank, numbers as 4 bytes, lowest first; the tool adds an LF
//   GloVe:             as word2vec's text, without the first line
#pragma once

#include "tenon/io/mapped_file.hpp"
#include "tenon/io/word_vector_parser.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon {

namespace detail {
inline std::string_view text_of(const mapped_file& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}
}  // namespace detail

namespace io {

// Each throws data_error, which names the file, the line or word, expected and got: for a missing, unreadable or
// truncated file; a first line with other sizes; another number of numbers; a number that is not finite or no
// number; a word that occurs twice.
inline word_vectors read_word2vec_text(const std::string& path, const word_vector_options& options = {}) {
  const detail::mapped_file file(path);
  return detail::word_vector_parser(path, detail::text_of(file), options).word2vec_text();
}
inline word_vectors read_word2vec_binary(const std::string& path, const word_vector_options& options = {}) {
  const detail::mapped_file file(path);
  return detail::word_vector_parser(path, detail::text_of(file), options).word2vec_binary();
}
inline word_vectors read_glove(const std::string& path, const word_vector_options& options = {}) {
  const detail::mapped_file file(path);
  return detail::word_vector_parser(path, detail::text_of(file), options).glove();
}

}  // namespace io

namespace detail {
enum class word_vector_format { word2vec_text, word2vec_binary, glove };

// Appends one word and its vector in the given format. Throws data_error if the format cannot hold them.
inline void append_word(std::string& bytes, const std::string& path, const std::string& word,
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

inline void write_word_vectors(const std::string& path, const io::word_vectors& vectors,
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
}  // namespace detail

namespace io {

// Numbers are written so that reading gives the same bits. Each function replaces the file as a whole. Throws
// data_error if it cannot be written, and for a word or number that the format cannot hold.
inline void write_word2vec_text(const std::string& path, const word_vectors& vectors) {
  detail::write_word_vectors(path, vectors, detail::word_vector_format::word2vec_text);
}
inline void write_word2vec_binary(const std::string& path, const word_vectors& vectors) {
  detail::write_word_vectors(path, vectors, detail::word_vector_format::word2vec_binary);
}
inline void write_glove(const std::string& path, const word_vectors& vectors) {
  detail::write_word_vectors(path, vectors, detail::word_vector_format::glove);
}

}  // namespace io

}  // namespace tenon
