// Laws of the readers of word vectors for any bytes: a data_error, or vectors that are complete, finite and found by their words.
#pragma once

#include "tenon/io/word_vector_parser.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fuzz {

using word_vector_reader = io::word_vectors (detail::word_vector_parser::*)();

inline void check_word_vectors(const io::word_vectors& v, std::size_t most) {
  bool holds =
      v.dimensions() > 0 && static_cast<std::size_t>(v.size()) <= most &&
      v.matrix().size() == static_cast<std::size_t>(v.size()) * static_cast<std::size_t>(v.dimensions());
  for (const float x : v.matrix()) holds = holds && std::isfinite(x);
  for (int k = 0; k < v.size(); ++k) holds = holds && !v.word(k).empty() && v.number(v.word(k)) == k;
  if (holds) return;
  std::fputs("broken promise: vectors are whole, finite and found by their words\n", stderr);
  std::abort();
}

// Reads all words, and a selection of two; returns whether the file is accepted.
inline bool read_word_vectors(std::span<const std::byte> file, word_vector_reader read) {
  static const io::word_vector_options all{},
      some{.only = std::vector<std::string>{"the", "1984", "a"}, .max_words = 2, .spaces_in_words = true};
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::string path = "file";
  bool is_taken = false;
  for (const io::word_vector_options* options : {&some, &all}) try {
      is_taken = false;
      const io::word_vectors v = (detail::word_vector_parser(path, text, *options).*read)();
      check_word_vectors(v, text.size());
      is_taken = true;
    } catch (const data_error&) {}
  return is_taken;
}

inline bool word2vec_text(std::span<const std::byte> file) {
  return read_word_vectors(file, &detail::word_vector_parser::word2vec_text);
}
inline bool word2vec_binary(std::span<const std::byte> file) {
  return read_word_vectors(file, &detail::word_vector_parser::word2vec_binary);
}
inline bool glove(std::span<const std::byte> file) {
  return read_word_vectors(file, &detail::word_vector_parser::glove);
}

}  // namespace tenon::fuzz
