// The bodies of vocabulary_file.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tenon::inline v0_1::detail {

TENON_INLINE std::string escaped(std::string_view word) {
  std::string result;
  for (const char c : word) {
    const std::size_t k = escapes.find(c);
    if (k == std::string_view::npos) result += c;
    else (result += '\\') += escape_letters[k];
  }
  return result;
}

TENON_INLINE void write_vocabulary(const std::string& path, const word_table& table,
                                   std::optional<int> unknown) {
  std::string text = message_of({vocabulary_format, "\tsize ", table.size()});
  if (unknown) text += message_of({"\tunknown ", escaped(table.word(*unknown))});
  text += '\n';
  for (int k = 0; k < table.size(); ++k)
    text += message_of({escaped(table.word(k)), "\t", table.count(k), "\n"});
  write_file(path, text);
}

TENON_INLINE void vocabulary_reader::read(word_table& table, std::optional<int>& unknown) {
  std::string_view first = next_line();
  const std::string_view head = take_field(first), size = take_field(first);
  if (head != vocabulary_format) fail({"'", vocabulary_format, "'"}, head);
  const std::int64_t expected = size.starts_with("size ") ? parse_whole_number(size.substr(5)) : -1;
  if (expected < 0) fail({"'size' and a number"}, size);
  if (!first.empty() && !first.starts_with("unknown ")) fail({"'unknown' and a word"}, first);

  while (!rest.empty()) read_word(table);
  if (!text.ends_with('\n'))
    throw_data_error(path, line, {"expected a line break at the end of the file, got none"});
  line = 1;
  if (table.size() != expected)
    throw_data_error(path, line, {"expected ", expected, " words, as this line says, got ", table.size()});
  if (!first.empty()) {
    const int number = table.find(unescaped(first.substr(8)));
    if (number < 0) fail({"an unknown token that is among the words"}, first.substr(8));
    unknown = number;
  }
}

TENON_INLINE void vocabulary_reader::read_word(word_table& table) {
  const std::string_view all = next_line();
  std::string_view digits = all;
  const std::string word = unescaped(take_field(digits));
  const std::int64_t count = parse_whole_number(digits);
  if (count < 0 || count > std::numeric_limits<long>::max()) fail({"a word, a tab and its count"}, all);
  if (const int number = table.find(word); number >= 0)
    throw_data_error(path, line,
                     {"expected each word once, got '", word, "', which is on line ", number + 2, ", too"});
  table.add(word, static_cast<long>(count));
}

TENON_INLINE std::string_view vocabulary_reader::next_line() {
  ++line;
  return take_line(rest);
}

TENON_INLINE std::string_view vocabulary_reader::take_field(std::string_view& fields) {
  const std::size_t size = std::min(fields.find('\t'), fields.size());
  const std::string_view field = fields.substr(0, size);
  fields.remove_prefix(std::min(size + 1, fields.size()));
  return field;
}

TENON_INLINE std::string vocabulary_reader::unescaped(std::string_view word) const {
  std::string result;
  for (std::size_t k = 0; k < word.size(); ++k) {
    if (word[k] != '\\') {
      result += word[k];
      continue;
    }
    const std::size_t escape = k + 1 < word.size() ? escape_letters.find(word[++k]) : std::string_view::npos;
    if (escape == std::string_view::npos) fail({"\\t, \\n, \\r, \\0 or \\\\ for each backslash"}, word);
    result += escapes[escape];
  }
  return result;
}

TENON_INLINE void vocabulary_reader::fail(std::initializer_list<message_part> expected,
                                          std::string_view got) const {
  throw_data_error(path, line, {"expected ", message_of(expected), ", got '", shortened(got), "'"});
}

}  // namespace tenon::inline v0_1::detail
