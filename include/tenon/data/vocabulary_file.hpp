// A vocabulary as a text file: a first line such as "tenon vocabulary 1<TAB>size 3<TAB>unknown <unk>", then
// a word and its count per line, separated by a tab, in the order of their numbers. In a word, \t, \n, \r,
// \0 and \\ mean these characters.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/word_table.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::inline v0_1::detail {

inline constexpr std::string_view vocabulary_format = "tenon vocabulary 1";
inline constexpr std::string_view escapes{"\t\n\r\0\\", 5}, escape_letters = "tnr0\\";

std::string escaped(std::string_view word);

void write_vocabulary(const std::string& path, const word_table& table, std::optional<int> unknown);

// Reads what write_vocabulary writes, and refuses anything else: data_error names file and line.
struct vocabulary_reader {
  explicit vocabulary_reader(const std::string& from) : path(from), text(read_text(from)) {}

  const std::string& path;
  const std::string text;
  std::string_view rest = text;
  long line = 0;

  // Reads into an empty table.
  void read(word_table& table, std::optional<int>& unknown);

  void read_word(word_table& table);

  std::string_view next_line();
  // Takes off what is before the next tab, or else everything, and the tab.
  static std::string_view take_field(std::string_view& fields);
  std::string unescaped(std::string_view word) const;
  [[noreturn]] void fail(std::initializer_list<message_part> expected, std::string_view got) const;
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/data/vocabulary_file.ipp"
#endif
