// The bodies of table_row.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>

namespace tenon::inline v0_1::detail {

[[gnu::noinline]] TENON_INLINE void fail_row(const io::table_row& row,
                                             std::initializer_list<message_part> problem) {
  throw_data_error(row.file ? row.file->path : "table_row", row.line, problem);
}

[[gnu::noinline]] TENON_INLINE void fail_field(const io::table_row& row, const table_place& at,
                                               std::initializer_list<message_part> expected,
                                               const char* remedy) {
  const std::string place =
      at.name.empty() ? message_of({"field ", at.field + 1}) : message_of({"column '", at.name, "'"});
  fail_row(row, {place, ": ", message_of(expected), ", got '", shortened(row.fields[at.field]), "'", remedy});
}

[[gnu::noinline]] TENON_INLINE void fail_column(const io::table_row& row, std::string_view name) {
  if (!row.file || row.file->header.empty())
    fail_row(row,
             {"column '", name,
              "': the table was read without the names of its columns; where its first row has them, read "
              "it with {.has_header = true}"});
  std::string all, numbers;
  ir::nearest nearest{ir::name(std::string(name))};
  for (std::size_t f = 0; f < row.file->header.size(); ++f) {
    const std::string& known = row.file->header[f];
    if (f < 20) all += message_of({f > 0 ? ", '" : "'", shortened(known), "'"});
    else if (f == 20) all += ", ..";
    if (known == name) numbers += message_of({numbers.empty() ? "" : " and ", f});
    nearest.consider(ir::name(known));
  }
  if (!numbers.empty())
    throw_data_error(
        row.file->path, 1,
        {"several columns are named '", name, "'; take one by its number, which counts from 0: ", numbers});
  const ir::sentence near = nearest.suggestion("");
  throw_data_error(
      row.file->path, 1,
      {"there is no column '", name, "'; ", near.view(), near.empty() ? "" : " ", "the columns are ", all});
}

TENON_INLINE table_place place_of(const io::table_row& row, std::string_view name) {
  if (!row.file) fail_column(row, name);
  const std::vector<std::string>& header = row.file->header;
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end() || std::find(found + 1, header.end(), name) != header.end())
    fail_column(row, name);
  return {static_cast<std::size_t>(found - header.begin()), name};
}

TENON_INLINE const std::string& field_at(const io::table_row& row, const table_place& at) {
  if (at.field >= row.fields.size())
    fail_row(row, {"there is no field ", static_cast<std::ptrdiff_t>(at.field), "; the row has ",
                   row.fields.size(), ", which count from 0"});
  return row.fields[at.field];
}

TENON_INLINE std::string_view trimmed_number(std::string_view text) {
  constexpr std::string_view space = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(space) + 1));  // npos + 1 is 0
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

}  // namespace tenon::inline v0_1::detail
