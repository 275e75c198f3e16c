// io::table_row: a row of a table, and its fields by number or by the name of their column.
#pragma once

#include "tenon/diagnostics/problem.hpp"
#include "tenon/io/file.hpp"
#include "tenon/system/from_chars.hpp"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {
// What the rows of a table share.
struct table_file {
  std::string path;
  std::vector<std::string> header{};  // the names of the columns; empty: the table was read without a header
};
}  // namespace detail

namespace io {

struct table_row {
  std::vector<std::string> fields;
  long line = 0;  // the row's first line in the file, from 1
  std::shared_ptr<const detail::table_file> file{};

  // A field by its number, from 0, or by the name of its column in a table that was read with {.has_header
  // = true}. Throws data_error, which names file and line, for a number or a name without a column, and
  // for a name that two columns have.
  const std::string& field(std::size_t number) const;
  const std::string& field(std::string_view column) const;
  // The number in a field: `number("price")`, `number(2)`, `number<int>(0)`. White space around it is skipped.
  // Throws data_error, which names file, line and field, for anything else and for a number that is not finite or
  // does not fit; also as `field` does.
  template <class T = float>
  T number(std::size_t field) const;
  template <class T = float>
  T number(std::string_view column) const;
  // The same, or `otherwise` if the field is empty, as it may be in a table that was read with {.allow_empty = true}:
  // number("age", NAN).
  template <class T = float>
  T number(std::size_t field, std::type_identity_t<T> otherwise) const;
  template <class T = float>
  T number(std::string_view column, std::type_identity_t<T> otherwise) const;
};

}  // namespace io

namespace detail {

// A column, by its name or, if that is empty, by its number.
struct table_place {
  std::size_t field = 0;
  std::string_view name{};
};

[[noreturn, gnu::cold]] void fail_row(const io::table_row& row, std::initializer_list<message_part> problem);
// Throws for a field that is not what was expected.
[[noreturn, gnu::cold]] void fail_field(const io::table_row& row, const table_place& at,
                                        std::initializer_list<message_part> expected,
                                        const char* remedy = "");
// Throws for a name that no column has, or several have.
[[noreturn, gnu::cold]] void fail_column(const io::table_row& row, std::string_view name);
inline table_place place_of(const io::table_row&, std::size_t field) { return {field}; }
table_place place_of(const io::table_row& row, std::string_view name);
const std::string& field_at(const io::table_row& row, const table_place& at);

// A field without the white space around it, and without a leading plus, which std::from_chars does not accept.
std::string_view trimmed_number(std::string_view text);
template <class T>
T number_at(const io::table_row& row, const table_place& at) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "a field of a table is a number: row.number<float>(2), row.number<int>(0)");
  constexpr const char* kind = std::is_integral_v<T> ? "a whole number" : "a number";
  const std::string_view text = trimmed_number(field_at(row, at));
  T value{};
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    fail_field(row, at, {"expected a number within the range of its type"});
  bool is_finite = true;
  if constexpr (std::is_floating_point_v<T>) is_finite = value - value == 0;
  if (error != std::errc() || end != text.data() + text.size() || !is_finite) {
    const bool may_be_header = row.file && row.file->header.empty() && row.line == 1;
    fail_field(
        row, at, {"expected ", kind},
        text.empty()    ? "; for a number that may be missing, give another: row.number(column, otherwise)"
        : may_be_header ? "; where the first row names the columns, read the table with {.has_header = true}"
                        : "");
  }
  return value;
}
template <class T>
T number_at(const io::table_row& row, const table_place& at, T otherwise) {
  return trimmed_number(field_at(row, at)).empty() ? otherwise : number_at<T>(row, at);
}

}  // namespace detail

inline const std::string& io::table_row::field(std::size_t number) const {
  return detail::field_at(*this, {number});
}
inline const std::string& io::table_row::field(std::string_view column) const {
  return detail::field_at(*this, detail::place_of(*this, column));
}
template <class T>
T io::table_row::number(std::size_t field) const {
  return detail::number_at<T>(*this, {field});
}
template <class T>
T io::table_row::number(std::string_view column) const {
  return detail::number_at<T>(*this, detail::place_of(*this, column));
}
template <class T>
T io::table_row::number(std::size_t field, std::type_identity_t<T> otherwise) const {
  return detail::number_at<T>(*this, {field}, otherwise);
}
template <class T>
T io::table_row::number(std::string_view column, std::type_identity_t<T> otherwise) const {
  return detail::number_at<T>(*this, detail::place_of(*this, column), otherwise);
}

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/data/table_row.ipp"
#endif
