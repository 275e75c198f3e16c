// io::write_table: columns as a CSV file (RFC 4180) with a header, which io::read_table reads back.
//   io::write_table("answers.csv", {"city", "price", "predicted"}, cities, prices, answers);
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/io/file.hpp"
#include "tenon/tensor/expression.hpp"
#include "tenon/tensor/range.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::detail {

template <class T, class... Some>
inline constexpr bool is_one_of = (std::same_as<T, Some> || ...);
// A range of numbers or of texts, or a tensor of them with one axis. A text is a range of
// characters, which are no numbers.
template <class C>
concept WrittenColumn =
    SizedRange<C> && !OneText<C> &&
    (OneText<element_of<C>> || (std::is_arithmetic_v<element_of<C>> &&
                                !is_one_of<element_of<C>, char, wchar_t, char8_t, char16_t, char32_t>)) &&
    (!concepts::TensorExpression<C> || static_rank<C>() == 1 || static_rank<C>() == -1);

template <std::size_t Names, class... Columns>
struct unfit_table {
  static constexpr ir::problem find() {
    if (Names != sizeof...(Columns))
      return {
          .rule = ir::sentence("write_table: the file has ")
                      .append(int(Names))
                      .append(Names == 1 ? " name" : " names")
                      .append(" and ")
                      .append(int(sizeof...(Columns)))
                      .append(sizeof...(Columns) == 1 ? " column" : " columns"),
          .fix =
              "give a column for each name, as in write_table(path, {\"city\", \"price\"}, cities, prices)"};
    int column = 0;
    const bool all_fit = ((WrittenColumn<Columns> && ++column > 0) && ...);
    if (all_fit) return {};
    return {.rule = ir::sentence("write_table: column ")
                        .append(column)
                        .append(", counted from 0, is not a range of numbers or of texts"),
            .fix = "give a std::vector of numbers or of std::string, an element for each row"};
  }
  static constexpr ir::problem wrong = find();
};

// Appends a field to the file's text, as it is written there.
void append_field(std::string& file, std::string_view text);
struct column_names {
  const std::string_view* names;
  std::string of(std::size_t k) const { return message_of({"'", shortened(names[k]), "'"}); }
};
[[noreturn, gnu::cold]] void refuse_written(const column_names& names, std::size_t column, std::size_t row,
                                            std::string_view problem);
template <class T>
void append_value(std::string& file, const T& value, const column_names& names, std::size_t column,
                  std::size_t row) {
  if constexpr (std::is_same_v<T, bool>) {
    file += value ? '1' : '0';
  } else if constexpr (std::is_arithmetic_v<T>) {
    if constexpr (std::is_floating_point_v<T>)
      if (value - value != 0) refuse_written(names, column, row, "expected a finite number");
    char digits[64];  // the longest are those of a long double, -1.18973149535723176502e+4932
    file.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  } else {
    const std::string_view text = value;
    if (text.find('\0') != std::string_view::npos)
      refuse_written(names, column, row, "expected text without zero bytes");
    append_field(file, text);
  }
}
template <class Column>
std::size_t rows_of_column(const Column& column, const column_names& names, std::size_t k) {
  if constexpr (concepts::TensorExpression<Column>)
    if (column.dimension() != 1)
      throw_input_error({"write_table: column ", names.of(k), ": expected a tensor of one axis, got rank ",
                         column.dimension()});
  return std::size(column);
}

template <std::size_t... K, class... Columns>
std::string written_table(const column_names& names, std::index_sequence<K...>, const Columns&... columns) {
  const std::array<std::size_t, sizeof...(K)> rows{rows_of_column(columns, names, K)...};
  for (std::size_t k = 1; k < rows.size(); ++k)
    if (rows[k] != rows[0])
      throw_input_error({"write_table: column ", names.of(0), " has ", rows[0], " rows, column ", names.of(k),
                         " has ", rows[k]});
  std::string file;
  const auto end_field = [&](std::size_t k) { file += k + 1 == sizeof...(K) ? '\n' : ','; };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (names.names[k].find('\0') != std::string_view::npos)
      throw_input_error({"write_table: the name of column ", k, ", counted from 0, has a zero byte"});
    append_field(file, names.names[k]);
    end_field(k);
  }
  auto at = std::tuple(std::begin(columns)...);
  for (std::size_t row = 0; row < rows[0]; ++row)
    ((append_value<element_of<Columns>>(file, *std::get<K>(at), names, K, row), end_field(K),
      ++std::get<K>(at)),
     ...);
  return file;
}

}  // namespace tenon::inline v0_1::detail

namespace tenon::inline v0_1::io {

// Writes a header and a row for each element of the columns, which are ranges of numbers (bool as 1 and 0) or of texts.
// A number is written in the shortest form that reads back as the same number. A text is written in quotation marks if
// it holds a comma, a quotation mark or a line break, or begins or ends with a space. Lines end with LF. The file is
// replaced as a whole: if this throws, an old file is unchanged. Throws input_error if columns differ in length, a
// number is not finite, or a text has a zero byte; data_error if the file cannot be written. read_table accepts no
// table without rows, and an empty text only with .allow_empty.
template <std::size_t Names, class... Columns>
void write_table(const std::string& path, const std::string_view (&names)[Names], const Columns&... columns) {
  using unfit = detail::unfit_table<Names, Columns...>;
  detail::say<detail::error_in<unfit>>();
  if constexpr (!unfit::wrong)
    detail::write_file(path,
                       detail::written_table({names}, std::index_sequence_for<Columns...>(), columns...));
}
#define TENON_SENTENCE                                                                                     \
  "write_table takes a path, the names of the columns in braces, and a vector of numbers or of texts for " \
  "each, as in "                                                                                           \
  "io::write_table(\"prices.csv\", {\"city\", \"price\"}, cities, prices)"
template <TENON_SAYS_AND(TENON_SENTENCE) class Result = void>
Result write_table(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1::io

#ifndef TENON_COMPILED
#  include "tenon/data/write_table.ipp"
#endif
