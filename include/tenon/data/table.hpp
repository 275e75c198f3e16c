// read_table: the rows of a text file of separated values, CSV (RFC 4180) or TSV.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/io/file.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon {

namespace io {

struct table_row {
  std::vector<std::string> fields;
  long line = 0;  // the row's first line in the file, from 1
  std::shared_ptr<const std::string> path{};

  // The number in a field, from 0: `number(2)`, `number<int>(0)`. White space around it is skipped. Throws data_error, which names
  // file, line and field, for anything else, a number that is not finite or does not fit; std::out_of_range for a field that is not there.
  template <class T = float>
  T number(std::size_t field) const;
};

struct table_options {
  char separator = ',';      // between fields; '\t' for TSV
  bool quoted = true;        // a field may be quoted; false: quotation marks are characters like all others
  bool has_header = false;   // the first row names the columns, and is not returned
  bool allow_empty = false;  // a field may have no characters
};

}  // namespace io

namespace detail {

class table_reader {
 public:
  table_reader(const std::string& path, const io::table_options& options)
      : path_(path),
        shared_path_(std::make_shared<const std::string>(path)),
        options_(options),
        text_(read_text(path)),
        rest_(text_) {}
  table_reader(const table_reader&) = delete;
  table_reader& operator=(const table_reader&) = delete;

  bool at_end() const { return rest_.empty(); }

  // The next row, which has this many fields.
  io::table_row take_row(std::size_t fields) {
    io::table_row row{{}, line_, shared_path_};
    bool continues = true;
    while (continues) {
      field_ = row.fields.size() + 1;
      row.fields.push_back(options_.quoted && rest_.starts_with('"') ? take_quoted() : take_unquoted());
      continues = rest_.starts_with(options_.separator);
      if (continues) rest_.remove_prefix(1);
    }
    if (row.fields.size() != fields) fail_count(row, fields);
    take_line(rest_);
    ++line_;
    return row;
  }

 private:
  // Up to the separator or the line break.
  std::string take_unquoted() {
    const char ends[] = {options_.separator, '\n'};
    std::string field(rest_.substr(0, rest_.find_first_of(std::string_view(ends, 2))));
    rest_.remove_prefix(field.size());
    if (!rest_.starts_with(options_.separator) && field.ends_with('\r')) field.pop_back();
    if (options_.quoted && field.find('"') != std::string::npos)
      fail_in_field(line_, {"expected quotation marks around the whole field, got one inside it; quote the "
                            "field and write \"\" inside it, or read the table with {.quoted = false}"});
    return field;
  }

  // Between quotation marks, where "" is one mark, and separators and line breaks are characters.
  std::string take_quoted() {
    const long first_line = line_;
    std::string field;
    do {
      rest_.remove_prefix(1);  // the opening mark, or the second one of ""
      const std::size_t size = rest_.find('"');
      if (size == std::string_view::npos)
        fail_in_field(first_line, {"expected a closing quotation mark, got the end of the file"});
      const std::string_view part = rest_.substr(0, size);
      line_ += line_breaks_in(part);
      rest_.remove_prefix(size + 1);
      field += part;
      if (rest_.starts_with('"')) field += '"';
    } while (rest_.starts_with('"'));

    const bool line_ends =
        rest_.empty() || rest_ == "\r" || rest_.starts_with('\n') || rest_.starts_with("\r\n");
    if (!line_ends && !rest_.starts_with(options_.separator))
      fail_in_field(
          line_, {"expected ", shown(options_.separator),
                  " or a line break after the closing quotation mark, got ", shown(rest_.front()),
                  "; inside quotation marks, write \"\" for one, or read the table with {.quoted = false}"});
    return field;
  }

  [[noreturn]] void fail_count(const io::table_row& row, std::size_t fields) const {
    const bool is_blank = row.fields.size() == 1 && row.fields[0].empty();
    const std::string got = is_blank ? "an empty line" : message_of({row.fields.size()});
    if (line_ == row.line) throw_data_error(path_, line_, {"expected ", fields, " fields, got ", got});
    throw_data_error(path_, row.line,
                     {"expected ", fields, " fields, got ", got,
                      ", in a row whose quotation marks go on to line ", line_});
  }
  [[noreturn]] void fail_in_field(long line, std::initializer_list<message_part> problem) const {
    throw_data_error(path_, line, {"field ", field_, ": ", message_of(problem)});
  }
  static std::string shown(char c) {
    if (c == '\t') return "a tab";
    if (c == ' ') return "a space";
    if (c > ' ' && c <= '~') return {'\'', c, '\''};
    return message_of({"the byte ", static_cast<unsigned char>(c)});
  }

  const std::string& path_;
  const std::shared_ptr<const std::string> shared_path_;
  const io::table_options& options_;
  const std::string text_;
  std::string_view rest_;  // what is not read yet
  long line_ = 1;          // where the rest begins
  std::size_t field_ = 0;  // which field of the row is being read, from 1
};

// What stands in a field between white space; a plus in front is passed over, as std::from_chars takes none.
inline std::string_view trimmed_number(std::string_view text) {
  constexpr std::string_view space = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(space) + 1));  // npos + 1 is 0
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}
// Of a field that is something else than expected.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_field(const io::table_row& row, std::size_t field,
                                                              std::initializer_list<message_part> expected) {
  throw_data_error(
      row.path ? *row.path : "table_row", row.line,
      {"field ", field + 1, ": ", message_of(expected), ", got '", shortened(row.fields[field]), "'"});
}
// Throws std::out_of_range for a field that is not there.
inline const std::string& field_of(const io::table_row& row, std::size_t field) {
  if (field >= row.fields.size())
    throw std::out_of_range(message_of({"table_row: there is no field ", static_cast<std::ptrdiff_t>(field),
                                        " among its ", row.fields.size(), " fields"}));
  return row.fields[field];
}

}  // namespace detail

template <class T>
T io::table_row::number(std::size_t field) const {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "a field of a table is a number: row.number<float>(2), row.number<int>(0)");
  constexpr const char* kind = std::is_integral_v<T> ? "a whole number" : "a number";
  const std::string_view text = detail::trimmed_number(detail::field_of(*this, field));
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    detail::fail_field(*this, field, {"expected a number within the range of its type"});
  bool is_finite = true;
  if constexpr (std::is_floating_point_v<T>) is_finite = value - value == 0;
  if (error != std::errc() || end != text.data() + text.size() || !is_finite)
    detail::fail_field(*this, field, {"expected ", kind});
  return value;
}

namespace io {

// All rows, each of which has `fields` fields. A field in quotation marks may hold separators, line breaks,
// and "" for one mark. Lines end with LF or CR LF, the last one also with the file; a byte order mark of
// UTF-8 is skipped. Everything else throws data_error, which names file and line: a missing or an empty file,
// another number of fields, an empty field, quotation marks out of place, a zero byte.
inline std::vector<table_row> read_table(const std::string& path, std::size_t fields,
                                         const table_options& options = {}) {
  if (const char s = options.separator; s == '"' || s == '\n' || s == '\r' || s == '\0')
    throw input_error(
        "read_table: expected a separator such as ',' or '\\t', got a quotation mark, a line break or a "
        "zero");
  if (const auto count = static_cast<std::ptrdiff_t>(fields); count < 1)
    detail::throw_input_error({"read_table: expected rows of at least 1 field, got ", count});
  detail::table_reader reader(path, options);
  if (reader.at_end()) detail::throw_data_error(path, {"the file has no lines"});
  if (options.has_header) {
    reader.take_row(fields);
    if (reader.at_end()) detail::throw_data_error(path, {"expected rows after the header, got none"});
  }
  std::vector<table_row> rows;
  while (!reader.at_end()) {
    rows.push_back(reader.take_row(fields));
    if (options.allow_empty) continue;
    const table_row& row = rows.back();
    for (std::size_t f = 0; f < fields; ++f)
      if (row.fields[f].empty()) detail::throw_data_error(path, row.line, {"field ", f + 1, " is empty"});
  }
  return rows;
}
#define TENON_SENTENCE                                                                               \
  "read_table takes a path, the number of fields, then options by their names in this order, as in " \
  "io::read_table(path, 3, {.separator = ';'}): .separator, .quoted, .has_header, .allow_empty"
template <class Rows = std::vector<io::table_row> TENON_AND_SAYS(TENON_SENTENCE)>
Rows read_table(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace io

}  // namespace tenon
