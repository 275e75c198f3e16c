// The bodies of table.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE table_reader::table_reader(const std::string& path, const io::table_options& options)
    : path_(path),
      file_(std::make_shared<table_file>(table_file{path})),
      options_(options),
      text_(read_text(path)),
      rest_(text_) {}

TENON_INLINE io::table_row table_reader::take_row(std::size_t fields) {
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

TENON_INLINE std::string table_reader::take_unquoted() {
  const char ends[] = {options_.separator, '\n'};
  std::string field(rest_.substr(0, rest_.find_first_of(std::string_view(ends, 2))));
  rest_.remove_prefix(field.size());
  if (!rest_.starts_with(options_.separator) && field.ends_with('\r')) field.pop_back();
  if (options_.quoted && field.find('"') != std::string::npos)
    fail_in_field(line_, {"expected quotation marks around the whole field, got one inside it; quote the "
                          "field and write \"\" inside it, or read the table with {.quoted = false}"});
  return field;
}

TENON_INLINE std::string table_reader::take_quoted() {
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
    fail_in_field(line_,
                  {"expected ", shown(options_.separator),
                   " or a line break after the closing quotation mark, got ", shown(rest_.front()),
                   "; inside quotation marks, write \"\" for one, or read the table with {.quoted = false}"});
  return field;
}

TENON_INLINE void table_reader::fail_count(const io::table_row& row, std::size_t fields) const {
  const bool is_blank = row.fields.size() == 1 && row.fields[0].empty();
  const std::string got = is_blank ? "an empty line" : message_of({row.fields.size()});
  if (line_ == row.line) throw_data_error(path_, line_, {"expected ", fields, " fields, got ", got});
  throw_data_error(
      path_, row.line,
      {"expected ", fields, " fields, got ", got, ", in a row whose quotation marks go on to line ", line_});
}

TENON_INLINE void table_reader::fail_in_field(long line, std::initializer_list<message_part> problem) const {
  throw_data_error(path_, line, {"field ", field_, ": ", message_of(problem)});
}

TENON_INLINE std::string table_reader::shown(char c) {
  if (c == '\t') return "a tab";
  if (c == ' ') return "a space";
  if (c > ' ' && c <= '~') return {'\'', c, '\''};
  return message_of({"the byte ", static_cast<unsigned char>(c)});
}

}  // namespace tenon::inline v0_1::detail

namespace tenon::inline v0_1::io {

TENON_INLINE std::vector<table_row> read_table(const std::string& path, std::size_t fields,
                                               const table_options& options) {
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
      if (row.fields[f].empty())
        detail::throw_data_error(
            path, row.line,
            {"field ", f + 1,
             " is empty; where values may be missing, read the table with {.allow_empty = true}"});
  }
  return rows;
}

}  // namespace tenon::inline v0_1::io
