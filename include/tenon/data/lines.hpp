// io::read_text: a text file as one string; io::read_lines: its lines; words_of, characters_of,
// bytes_of: the parts of a line.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/utf8.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

namespace io {

// A text file as one string, with its line breaks unchanged. A byte order mark of UTF-8 is skipped; all other bytes are
// kept. Throws data_error, which names the file, and the line of a zero byte (UTF-16 has them).
inline std::string read_text(const std::string& path) { return detail::read_text(path); }

// The lines of a text file, without their line breaks (LF or CR LF); an empty file has none. A byte order
// mark of UTF-8 is skipped. All other bytes are kept, also those that are not UTF-8. Throws data_error, which
// names the file, and the line of a zero byte.
inline std::vector<std::string> read_lines(const std::string& path) {
  const std::string text = detail::read_text(path);
  std::vector<std::string> lines;
  for (std::string_view rest = text; !rest.empty();) lines.push_back(std::string(detail::take_line(rest)));
  return lines;
}

struct word_options {
  bool lowercase = false;          // A-Z become a-z; letters beyond ASCII are unchanged
  bool split_punctuation = false;  // each punctuation character of ASCII is a word: don't -> don ' t
};
#define TENON_MEMBERS_OF_WORD_OPTIONS ".lowercase, .split_punctuation"

}  // namespace io

// The words of a line: what is between white space (that of ASCII).
inline std::vector<std::string> words_of(std::string_view line, const io::word_options& options = {}) {
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

// The words of each line: words_of(io::read_lines(path)).
inline std::vector<std::vector<std::string>> words_of(const std::vector<std::string>& lines,
                                                      const io::word_options& options = {}) {
  std::vector<std::vector<std::string>> all;
  all.reserve(lines.size());
  for (const std::string& line : lines) all.push_back(words_of(line, options));
  return all;
}
#define TENON_SENTENCE                                                                                 \
  "words_of takes a line or several, then options by their names in this order, as in words_of(line, " \
  "{.lowercase = true}): " TENON_MEMBERS_OF_WORD_OPTIONS
template <TENON_SAYS_AND(TENON_SENTENCE) class Words = std::vector<std::string>>
Words words_of(...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class Words = std::vector<std::vector<std::string>>>
Words words_of(const std::vector<std::string>&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

// The characters of a text in UTF-8, one or several bytes each. A byte that begins no character is one by itself, so
// the characters of any text, joined, are the text.
inline std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> characters;
  while (!text.empty()) {
    const std::size_t size = std::max(detail::utf8_length(text), std::size_t{1});
    characters.push_back(std::string(text.substr(0, size)));
    text.remove_prefix(size);
  }
  return characters;
}

// The characters of each of several texts.
inline std::vector<std::vector<std::string>> characters_of(const std::vector<std::string>& texts) {
  std::vector<std::vector<std::string>> all;
  all.reserve(texts.size());
  for (const std::string& text : texts) all.push_back(characters_of(text));
  return all;
}

// The bytes of a text, 0 .. 255, for an input of token<256>.
inline std::vector<int> bytes_of(std::string_view text) {
  std::vector<int> bytes;
  bytes.reserve(text.size());
  for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
  return bytes;
}

// The bytes of each of several texts. A template, so that only programs that call it compile it.
template <std::same_as<std::string> Text>
std::vector<std::vector<int>> bytes_of(const std::vector<Text>& texts) {
  std::vector<std::vector<int>> all;
  all.reserve(texts.size());
  for (const Text& text : texts) all.push_back(bytes_of(text));
  return all;
}

}  // namespace tenon
