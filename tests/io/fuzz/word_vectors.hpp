// One input for the readers of word vectors: each must read it or refuse it, and what was read must be right and come back from a file.
#pragma once

#include "tenon/io/word_vector_parser.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace tenon::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void check_word_vectors(const word_vectors& v, std::string_view bytes) {
  require(v.size() >= 0 && v.dimensions() > 0);
  require(static_cast<std::size_t>(v.size()) <= bytes.size());
  require(v.matrix().size() == static_cast<std::size_t>(v.size()) * static_cast<std::size_t>(v.dimensions()));
  for (const float x : v.matrix()) require(std::isfinite(x));
  for (int k = 0; k < v.size(); ++k) require(!v.word(k).empty() && v.number(v.word(k)) == k);
}

// Reads in each format, all words and some; returns how many formats took it.
inline int read_word_vectors(std::string_view bytes) {
  const std::string path = "input";
  static const word_vector_options all{},
      some{.only = std::vector<std::string>{"the", "1984", "a"}, .max_words = 2, .spaces_in_words = true};
  int taken = 0;
  for (word_vectors (detail::word_vector_parser::*read)() :
       {&detail::word_vector_parser::word2vec_text, &detail::word_vector_parser::word2vec_binary,
        &detail::word_vector_parser::glove}) {
    for (const word_vector_options* options : {&all, &some}) try {
        const word_vectors v = (detail::word_vector_parser(path, bytes, *options).*read)();
        check_word_vectors(v, bytes);
        if (!options->only.is_given()) ++taken;
        else require(v.size() <= 2);
      } catch (const data_error& error) { require(std::string_view(error.what()).starts_with("input:")); }
  }
  return taken;
}

}  // namespace tenon::fuzz
