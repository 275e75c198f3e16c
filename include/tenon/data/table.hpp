// read_table: the rows of a text file of separated values, CSV (RFC 4180) or TSV.
#pragma once

#include "tenon/data/table_row.hpp"
#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/io/file.hpp"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon {

namespace io {

struct table_options {
  char separator = ',';      // between fields; '\t' for TSV
  bool quoted = true;        // a field may be quoted; false: quotation marks are ordinary characters
  bool has_header = false;   // the first row names the columns, and is not returned
  bool allow_empty = false;  // a field may have no characters
};
#define TENON_MEMBERS_OF_TABLE_OPTIONS ".separator, .quoted, .has_header, .allow_empty"

}  // namespace io

namespace detail {

class table_reader {
 public:
  table_reader(const std::string& path, const io::table_options& options)
      : path_(path),
        file_(std::make_shared<table_file>(table_file{path})),
        options_(options),
        text_(read_text(path)),
        rest_(text_) {}
  table_reader(const table_reader&) = delete;
  table_reader& operator=(const table_reader&) = delete;

  bool at_end() const { return rest_.empty(); }

  // The first row, which names the columns.
  void take_header(std::size_t fields) { file_->header = take_row(fields).fields; }
  // The next row, which has this many fields.
  io::table_row take_row(std::size_t fields) {
    io::table_row row{{}, line_, file_};
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
  // Reads up to the separator or the line break.
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

  // Reads between quotation marks, where "" is one mark, and separators and line breaks are ordinary characters.
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
  const std::shared_ptr<table_file> file_;
  const io::table_options& options_;
  const std::string text_;
  std::string_view rest_;  // not read yet
  long line_ = 1;          // where the rest begins
  std::size_t field_ = 0;  // which field of the row is being read, from 1
};

}  // namespace detail

namespace io {

// All rows; each has `fields` fields. A field in quotation marks may hold separators, line breaks, and "" for one mark.
// Lines end with LF or CR LF; the last one may also end with the file. A byte order mark of UTF-8 is skipped. Throws
// data_error, which names file and line, for everything else: a missing or an empty file, another number of fields, an
// empty field, quotation marks out of place, a zero byte.
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
    reader.take_header(fields);
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
  "io::read_table(path, 3, {.separator = ';'}): " TENON_MEMBERS_OF_TABLE_OPTIONS
template <class Rows = std::vector<io::table_row> TENON_AND_SAYS(TENON_SENTENCE)>
Rows read_table(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace io

}  // namespace tenon
