// io::read_text: a text file as one string; io::read_lines: its lines; words_of, characters_of,
// bytes_of: the parts of a line.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/utf8.hpp"

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1 {

namespace io {

// A text file as one string, with its line breaks unchanged. A byte order mark of UTF-8 is skipped; all other bytes are
// kept. Throws data_error, which names the file, and the line of a zero byte (UTF-16 has them).
inline std::string read_text(const std::string& path) { return detail::read_text(path); }

// The lines of a text file, without their line breaks (LF or CR LF); an empty file has none. A byte order
// mark of UTF-8 is skipped. All other bytes are kept, also those that are not UTF-8. Throws data_error, which
// names the file, and the line of a zero byte.
std::vector<std::string> read_lines(const std::string& path);

struct word_options {
  bool lowercase = false;          // A-Z become a-z; letters beyond ASCII are unchanged
  bool split_punctuation = false;  // each punctuation character of ASCII is a word: don't -> don ' t
};
#define TENON_MEMBERS_OF_WORD_OPTIONS ".lowercase, .split_punctuation"

}  // namespace io

// The words of a line: what is between white space (that of ASCII).
std::vector<std::string> words_of(std::string_view line, const io::word_options& options = {});

// The words of each line: words_of(io::read_lines(path)).
std::vector<std::vector<std::string>> words_of(const std::vector<std::string>& lines,
                                               const io::word_options& options = {});
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
std::vector<std::string> characters_of(std::string_view text);

// The characters of each of several texts.
std::vector<std::vector<std::string>> characters_of(const std::vector<std::string>& texts);

// The bytes of a text, 0 .. 255, for an input of token<256>.
std::vector<int> bytes_of(std::string_view text);

// The bytes of each of several texts. A template, so that only programs that call it compile it.
template <std::same_as<std::string> Text>
std::vector<std::vector<int>> bytes_of(const std::vector<Text>& texts) {
  std::vector<std::vector<int>> all;
  all.reserve(texts.size());
  for (const Text& text : texts) all.push_back(bytes_of(text));
  return all;
}

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/data/lines.ipp"
#endif
