// io::table_column: one value of each row of a table, as a column of a data set takes them.
//   table_column(rows, 0)              the words of a field, counted from 0
//   table_column<float>(rows, 2)       its numbers
//   table_column(rows, 1, words)       the numbers that its words have in a vocabulary
//   table_column(rows, f)              f(row) of each row
#pragma once

#include "tenon/data/table.hpp"
#include "tenon/data/vocabulary.hpp"
#include "tenon/diagnostics/wrong_call.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::io {

template <class F>
requires requires(F& f, const table_row& row) { f(row); }
auto table_column(const std::vector<table_row>& rows, F f) {
  std::vector<std::remove_cvref_t<decltype(f(rows[0]))>> column;
  column.reserve(rows.size());
  for (const table_row& row : rows) column.push_back(f(row));
  return column;
}
// Throws std::out_of_range for a field that no row has, and as row.number<T>(field) for what is no number.
template <class T = std::string>
std::vector<T> table_column(const std::vector<table_row>& rows, std::size_t field) {
  return table_column(rows, [field](const table_row& row) -> T {
    if constexpr (std::is_same_v<T, std::string>) return detail::field_of(row, field);
    else return row.template number<T>(field);
  });
}
// A word that the vocabulary does not have is its unknown token; data_error, which names file, line and field, where it has none.
template <std::same_as<vocabulary> Words>
std::vector<int> table_column(const std::vector<table_row>& rows, std::size_t field, const Words& words) {
  return table_column(rows, [&](const table_row& row) {
    const std::string& word = detail::field_of(row, field);
    std::optional<int> number = words.number(word);
    if (!number) number = words.unknown();
    if (!number)
      detail::fail_field(row, field, {"expected one of the ", words.size(), " words of the vocabulary"});
    return *number;
  });
}
#define TENON_SENTENCE                                                                  \
  "table_column takes the rows of read_table and the number of a field, from 0, as in " \
  "io::table_column<float>(rows, 2); behind it maybe a vocabulary; or the rows and a function of one row"
template <class T = std::string TENON_AND_SAYS(TENON_SENTENCE)>
std::vector<T> table_column(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::io
