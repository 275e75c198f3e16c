// The bodies of lines.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cstddef>

namespace tenon::inline v0_1::io {

TENON_INLINE std::vector<std::string> read_lines(const std::string& path) {
  const std::string text = detail::read_text(path);
  std::vector<std::string> lines;
  for (std::string_view rest = text; !rest.empty();) lines.push_back(std::string(detail::take_line(rest)));
  return lines;
}

}  // namespace tenon::inline v0_1::io

namespace tenon::inline v0_1 {

TENON_INLINE std::vector<std::string> words_of(std::string_view line, const io::word_options& options) {
  const auto is_in = [](char c, char first, char last) { return first <= c && c <= last; };
  std::vector<std::string> words;
  bool starts_word = true;
  for (const char c : line) {
    const bool is_space = c == ' ' || is_in(c, '\t', '\r');
    const bool is_word = options.split_punctuation && (is_in(c, '!', '/') || is_in(c, ':', '@') ||
                                                       is_in(c, '[', '`') || is_in(c, '{', '~'));
    if (!is_space) {
      if (starts_word || is_word) words.push_back(std::string());
      words.back() += options.lowercase && is_in(c, 'A', 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
    }
    starts_word = is_space || is_word;
  }
  return words;
}

TENON_INLINE std::vector<std::vector<std::string>> words_of(const std::vector<std::string>& lines,
                                                            const io::word_options& options) {
  std::vector<std::vector<std::string>> all;
  all.reserve(lines.size());
  for (const std::string& line : lines) all.push_back(words_of(line, options));
  return all;
}

TENON_INLINE std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> characters;
  while (!text.empty()) {
    const std::size_t size = std::max(detail::utf8_length(text), std::size_t{1});
    characters.push_back(std::string(text.substr(0, size)));
    text.remove_prefix(size);
  }
  return characters;
}

TENON_INLINE std::vector<std::vector<std::string>> characters_of(const std::vector<std::string>& texts) {
  std::vector<std::vector<std::string>> all;
  all.reserve(texts.size());
  for (const std::string& text : texts) all.push_back(characters_of(text));
  return all;
}

TENON_INLINE std::vector<int> bytes_of(std::string_view text) {
  std::vector<int> bytes;
  bytes.reserve(text.size());
  for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
  return bytes;
}

}  // namespace tenon::inline v0_1
