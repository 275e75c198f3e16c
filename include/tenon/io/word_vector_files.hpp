// Files of word vectors: word2vec's text and binary formats (Mikolov et al. 2013, the tool of that name)
// and GloVe's text (Pennington et al. 2014). Files are mapped, not read whole: of millions of words, only
// those that are kept need memory.
//   word2vec, text:    "words dimensions" LF, then for each word: word, numbers between blanks, LF
//   word2vec, binary:  "words dimensions" LF, then for each word: word, blank, numbers as 4 bytes, lowest first; the tool adds an LF
//   GloVe:             as word2vec's text, without the first line
#pragma once

#include "tenon/io/mapped_file.hpp"
#include "tenon/io/word_vector_parser.hpp"

#include <string>
#include <string_view>

namespace tenon::inline v0_1 {

namespace detail {
inline std::string_view text_of(const mapped_file& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}
}  // namespace detail

namespace io {

// Each throws data_error, which names the file, the line or word, expected and got: for a missing, unreadable or
// truncated file; a first line with other sizes; another number of numbers; a number that is not finite or no
// number; a word that occurs twice.
word_vectors read_word2vec_text(const std::string& path, const word_vector_options& options = {});
word_vectors read_word2vec_binary(const std::string& path, const word_vector_options& options = {});
word_vectors read_glove(const std::string& path, const word_vector_options& options = {});

}  // namespace io

namespace detail {
enum class word_vector_format { word2vec_text, word2vec_binary, glove };

// Appends one word and its vector in the given format. Throws data_error if the format cannot hold them.
void append_word(std::string& bytes, const std::string& path, const std::string& word,
                 view<const float> vector, bool is_text);

void write_word_vectors(const std::string& path, const io::word_vectors& vectors, word_vector_format format);
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

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/io/word_vector_files.ipp"
#endif
