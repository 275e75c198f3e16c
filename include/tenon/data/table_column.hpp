// io::table_column: one value of each row of a table, for a column of a data set.
//   table_column(rows, "kind")            the words of a column, by its name in the header, or by its number, from 0
//   table_column<float>(rows, "price")    its numbers; table_column<float>(rows, "price", NAN) where some are missing
//   table_column(rows, "kind", words)     the numbers that its words have in a vocabulary
//   table_column(rows, f)                 f(row) of each row
#pragma once

#include "tenon/data/table.hpp"
#include "tenon/data/vocabulary.hpp"
#include "tenon/diagnostics/wrong_call.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1::io {

template <class F>
requires requires(F& f, const table_row& row) { f(row); }
auto table_column(const std::vector<table_row>& rows, F f) {
  std::vector<std::remove_cvref_t<decltype(f(rows[0]))>> column;
  column.reserve(rows.size());
  for (const table_row& row : rows) column.push_back(f(row));
  return column;
}

}  // namespace tenon::inline v0_1::io

namespace tenon::inline v0_1::detail {

// f(row, place) of each row, where `place` is the column; a name is looked up once for each file.
template <class Where, class F>
auto column_at(const std::vector<io::table_row>& rows, Where column, F f) {
  table_place at;
  const io::table_row* before = nullptr;
  return io::table_column(rows, [&](const io::table_row& row) {
    if (before == nullptr || before->file != row.file) at = place_of(row, column);
    before = &row;
    return f(row, at);
  });
}
template <class T, class Where, class... Otherwise>
std::vector<T> values_at(const std::vector<io::table_row>& rows, Where column, Otherwise... otherwise) {
  return column_at(rows, column, [&](const io::table_row& row, const table_place& at) -> T {
    if constexpr (std::is_same_v<T, std::string>) return field_at(row, at);
    else return number_at<T>(row, at, otherwise...);
  });
}
template <class Where>
std::vector<int> words_at(const std::vector<io::table_row>& rows, Where column, const vocabulary& words) {
  return column_at(rows, column, [&](const io::table_row& row, const table_place& at) {
    const std::string& word = field_at(row, at);
    std::optional<int> number = words.number(word);
    if (!number) number = words.unknown();
    if (!number) fail_field(row, at, {"expected one of the ", words.size(), " words of the vocabulary"});
    return *number;
  });
}

}  // namespace tenon::inline v0_1::detail

namespace tenon::inline v0_1::io {

// Throws as row.field(column), row.number<T>(column) and row.number<T>(column, otherwise).
template <class T = std::string>
std::vector<T> table_column(const std::vector<table_row>& rows, std::size_t field) {
  return detail::values_at<T>(rows, field);
}
template <class T = std::string>
std::vector<T> table_column(const std::vector<table_row>& rows, std::string_view column) {
  return detail::values_at<T>(rows, column);
}
template <class T>
requires(std::is_arithmetic_v<T>)  //
    std::vector<T> table_column(const std::vector<table_row>& rows, std::size_t field,
                                std::type_identity_t<T> otherwise) {
  return detail::values_at<T>(rows, field, otherwise);
}
template <class T>
requires(std::is_arithmetic_v<T>)  //
    std::vector<T> table_column(const std::vector<table_row>& rows, std::string_view column,
                                std::type_identity_t<T> otherwise) {
  return detail::values_at<T>(rows, column, otherwise);
}
// A word outside the vocabulary becomes its unknown token; if it has none, data_error names file, line and field.
template <std::same_as<vocabulary> Words>
std::vector<int> table_column(const std::vector<table_row>& rows, std::size_t field, const Words& words) {
  return detail::words_at(rows, field, words);
}
template <std::same_as<vocabulary> Words>
std::vector<int> table_column(const std::vector<table_row>& rows, std::string_view column,
                              const Words& words) {
  return detail::words_at(rows, column, words);
}
#define TENON_SENTENCE                                                                                       \
  "table_column takes the rows of read_table and a column, its name in the header or its number from 0, as " \
  "in io::table_column<float>(rows, \"price\"); behind it maybe a vocabulary; or the rows and a function "   \
  "that takes a "                                                                                            \
  "const io::table_row& and compiles with it"
template <class T = std::string TENON_AND_SAYS(TENON_SENTENCE)>
std::vector<T> table_column(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1::io
