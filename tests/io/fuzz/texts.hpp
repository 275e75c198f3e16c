// Laws of the readers of text for any bytes: a data_error, or a result that is read again as the same when it is written.
#pragma once

#include "io/fuzz/input.hpp"
#include "tenon/data/lines.hpp"
#include "tenon/data/table.hpp"
#include "tenon/data/table_column.hpp"
#include "tenon/data/vocabulary.hpp"
#include "tenon/data/word_counts.hpp"
#include "tenon/data/word_search.hpp"
#include "tenon/data/write_table.hpp"
#include "tenon/meta/pattern.hpp"
#include "tenon/parameters/name_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fuzz {

// A number that a field has is written as a number that reads as the same.
template <class T>
void check_number(const io::table_row& row, std::size_t field) {
  T number;
  try {
    number = row.number<T>(field);
  } catch (const data_error&) { return; }
  std::string written;
  detail::append_value(written, number, {}, 0, 0);
  require(io::table_row{{written}}.number<T>(0) == number, "a number that is written is read again");
}

// The first byte chooses the options, the second the number of fields.
inline bool table(bytes file) {
  const unsigned choice = take_choice(file);
  const std::size_t fields = 1 + take_choice(file) % 4;
  const io::table_options options{.separator = ",;\t "[choice % 4],
                                  .quoted = (choice & 4) == 0,
                                  .has_header = (choice & 8) != 0,
                                  .allow_empty = (choice & 16) != 0};
  std::vector<io::table_row> rows;
  try {
    rows = io::read_table(file_of(text_of(file)), fields, options);
  } catch (const data_error&) { return false; }
  require(!rows.empty(), "a table has rows");
  long line = 0;
  for (const io::table_row& row : rows) {
    require(row.fields.size() == fields && row.line > line, "every row has its fields, on a line of its own");
    line = row.line;
  }
  for (std::size_t f = 0; f < fields; ++f) {
    check_number<float>(rows[0], f);
    check_number<double>(rows[0], f);
    check_number<int>(rows[0], f);
    check_number<unsigned char>(rows[0], f);
  }
  // Of the names, any text will do.
  const std::string_view names[] = {rows[0].fields[0], rows[0].fields[fields - 1]};
  const auto first = io::table_column(rows, std::size_t{0}), last = io::table_column(rows, fields - 1);
  io::write_table(scratch("table"), {names[0], names[1]}, first, last);
  const auto again = io::read_table(scratch("table"), 2, {.has_header = true, .allow_empty = true});
  require(io::table_column(again, std::size_t{0}) == first && io::table_column(again, std::size_t{1}) == last,
          "a table that is written is read again");
  require(again[0].file->header == std::vector<std::string>(std::begin(names), std::end(names)),
          "a header that is written is read again");
  return true;
}

inline bool vocabulary_file(bytes file) {
  vocabulary read;
  try {
    read = vocabulary::load(file_of(text_of(file)));
  } catch (const data_error&) { return false; }
  for (int k = 0; k < read.size(); ++k) require(read.number(read.word(k)) == k, "words are found by number");
  read.save(scratch("vocabulary"));
  const vocabulary again = vocabulary::load(scratch("vocabulary"));
  require(std::equal(read.begin(), read.end(), again.begin(), again.end()) &&
              read.counts() == again.counts() && read.unknown() == again.unknown(),
          "a vocabulary that is saved is loaded again");
  return true;
}

// RFC 3629 by the code points: the length of the shortest encoding that is no surrogate.
inline std::size_t character_length(std::string_view text) {
  const auto at = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const std::size_t length = text.empty() ? 0 : at(0) < 0x80 ? 1 : at(0) < 0xE0 ? 2 : at(0) < 0xF0 ? 3 : 4;
  if (length < 2) return length;
  const unsigned marks[] = {0, 0, 0xC0, 0xE0, 0xF0}, least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (at(0) < marks[length]) return 0;
  unsigned point = at(0) - marks[length];
  for (std::size_t k = 1; k < length; ++k) {
    if (at(k) / 64 != 2) return 0;
    point = 64 * point + at(k) % 64;
  }
  return point >= least[length] && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF) ? length : 0;
}

inline std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string all;
  for (const std::string& part : parts) all.append(&part == parts.data() ? "" : between).append(part);
  return all;
}

inline bool lines(bytes file) {
  const std::string_view text = text_of(file);
  const std::vector<std::string> characters = characters_of(text);
  require(joined(characters, "") == text, "the characters of a text are the text");
  bool is_right = true;
  std::string_view rest = text;
  for (const std::string& character : characters) {
    const std::size_t length = character_length(rest);
    is_right = is_right && length > 0;
    require(character.size() == std::max(length, std::size_t{1}), "characters are those of UTF-8");
    rest.remove_prefix(character.size());
  }
  require(detail::is_utf8(text) == is_right, "a text of characters is UTF-8");
  require(bytes_of(text).size() == text.size(), "a text has all its bytes");

  std::vector<std::string> read;
  try {
    read = io::read_lines(file_of(text));
  } catch (const data_error&) { return false; }
  for (const io::word_options& options : {io::word_options{}, io::word_options{true, true}})
    for (const std::string& line : read) {
      require(line.find('\n') == std::string::npos, "a line has no line break");
      const std::vector<std::string> words = words_of(line, options);
      require(words_of(joined(words, " "), options) == words, "words are separated by a space");
      const vocabulary known{words};
      require(known.decode(known.encode(words)) == words, "words are found by their numbers");
    }
  if (read.empty() || read[0].starts_with("\xEF\xBB\xBF")) return true;
  const auto is_cut = [](const std::string& line) { return line.ends_with('\r'); };
  if (std::any_of(read.begin(), read.end(), is_cut)) return true;
  require(io::read_lines(file_of(joined(read, "\n") + "\n")) == read,
          "lines that are written are read again");
  return true;
}

// The usual lists that judge word vectors, for vectors of five words; the first byte chooses the list.
inline bool word_lists(bytes file) {
  static const io::word_search search = [] {
    const std::vector<float> numbers{1, 0, 1, 1, 0, 1, 0, 0, 1, -1};
    return io::word_search(io::word_vectors(std::vector<std::string>{"a", "b", "c", "d", "e"},
                                            view<const float>(numbers.data(), {5, 2})));
  }();
  const unsigned choice = take_choice(file);
  const io::word_list_options options{.lowercase = (choice & 2) != 0};
  const std::string path = file_of(text_of(file));
  try {
    if (choice % 2 == 0) {
      const io::analogy_report report = search.answer_analogies(path, options);
      int asked = 0;
      for (const io::analogy_count& section : report.sections) {
        require(section.right <= section.asked, "no more analogies are right than are asked");
        asked += section.asked;
      }
      require(asked == report.all.asked, "the whole is the sum of the sections");
    } else {
      const io::similarity_report report = search.rank_similarities(path, options);
      require(std::abs(report.spearman) < 1 + 1e-9, "a correlation is from -1 to 1");
      require(report.pairs + report.left_out > 0, "a list has pairs");
    }
  } catch (const data_error&) { return false; }
  return true;
}

// By the definition, a star is nothing, or a character and a star: fits[n], for each end of the name, from the pattern's last character on.
inline bool is_match(std::string_view pattern, std::string_view name) {
  std::vector<char> fits(name.size() + 1);
  fits.back() = 1;
  for (std::size_t p = pattern.size(); p-- > 0;) {
    std::vector<char> longer(fits.size());
    for (std::size_t n = fits.size(); n-- > 0;)
      longer[n] = pattern[p] == '*' ? fits[n] || (n < name.size() && longer[n + 1])
                                    : n < name.size() && pattern[p] == name[n] && fits[n + 1];
    fits = longer;
  }
  return fits[0] != 0;
}

// Three lines: a pattern, a name, and what the pattern is renamed to.
inline bool name_patterns(bytes input) {
  std::string_view rest = text_of(input);
  const std::string from(detail::take_line(rest).substr(0, 24)), name(detail::take_line(rest).substr(0, 24)),
      to(rest.substr(0, 24));
  const bool fits = is_match(from, name);
  require(detail::name_patterns(from).match(name) == fits, "a pattern matches by its definition");
  try {
    detail::check_renaming({from, to});
  } catch (const input_error&) { return false; }
  const std::optional<std::string> other = detail::renamed({from, to}, name);
  require(other.has_value() == fits, "what matches is renamed");
  if (other) require(detail::renamed({to, from}, *other) == name, "a renaming can be undone");
  return fits;
}

}  // namespace tenon::fuzz
