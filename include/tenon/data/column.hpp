// column<"name">(values): one value for each row of a data set, for the input of this name. The values are
//   a range of whole numbers or numbers, one for each row          std::vector<int>: tokens, classes
//   a range of ranges of whole numbers                              sequences of tokens, each of its own length
//   a range of ranges of floating-point numbers                     rows of features
//   a range of ranges of ranges of them, or of tensors [steps, features]     sequences of features, each of its own length
//   a range of tensors [height, width, features], or [height, width]         images
//   a tensor [rows, ..], followed by its rows' lengths if it has steps       xtensor arrays, views
//   a number of rows and a function of the row that returns an element of one of these ranges
// The values are copied or moved into the column. A view such as std::span is not copied: the memory behind it is read
// directly, and must outlive the data set.
#pragma once

#include "tenon/data/column_rows.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/engine/session/by_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

template <class V>
concept RowInMemory =
    !concepts::TensorExpression<V> && SizedRange<V> && !OneText<V> && requires(const V& row) {
  std::data(row);
};
template <class V>
concept RowByRow = SizedRange<V> && requires(const V& values) {
  *(std::begin(values) + 1);
};

// The type that keeps a row until its batch is set. std::vector<bool> has no memory that can be read.
template <class Row>
using stored_row =
    std::conditional_t<std::is_same_v<std::remove_cvref_t<Row>, bool>, int, std::remove_cvref_t<Row>>;

// --- where the values are ------------------------------------------------------------------------------------
template <class Column>
int longest_row(const Column& column) {
  int longest = 0;
  for (int r = 0; r < column.size(); ++r) longest = std::max(longest, column.length(r));
  return longest;
}
// A range with an element for each row.
template <class Values>
struct range_column {
  Values values;
  int size() const { return static_cast<int>(std::size(values)); }
  int length(int row) const { return length_of_row(at(row)); }
  template <ir::text Name, class Session>
  void set(Session& session, std::span<const int> rows) const {
    std::vector<stored_row<decltype(at(0))>> some;
    some.reserve(rows.size());
    for (int row : rows) some.push_back(at(row));
    set_rows<Name>(session, some);
  }
  template <class Plan, int E>
  int check(int row) const {
    const stored_row<decltype(at(0))>& value = at(row);
    return column_checks<Plan, E>::row(value, row, [this] { return longest_row(*this); });
  }
  template <class Plan, int E>
  static constexpr ir::problem unfit() {
    return unfit_rows<Plan, E, stored_row<decltype(std::declval<const range_column&>().at(0))>>();
  }

 private:
  // A row that is a range in memory is returned as a view; one that is computed when it is read, as by
  // std::views::transform, as a value.
  decltype(auto) at(int row) const {
    using element = decltype(*(std::begin(values) + row));
    using value = std::remove_cvref_t<element>;
    if constexpr (std::is_lvalue_reference_v<element> && RowInMemory<value>) {
      const value& v = *(std::begin(values) + row);
      if constexpr (engine::static_size<value> >= 0)
        return std::span<const element_of<value>, engine::static_size<value>>(std::data(v), std::size(v));
      else return std::span<const element_of<value>>(std::data(v), std::size(v));
    } else if constexpr (std::is_class_v<element> && std::is_arithmetic_v<element_of<Values>>) {
      return static_cast<element_of<Values>>(*(std::begin(values) + row));  // of std::vector<bool> in libc++
    } else {
      return static_cast<element>(*(std::begin(values) + row));
    }
  }
};
// A function may have a state, such as random numbers for moving images. One thread calls it: once for each value that
// a batch is set to, and for the lengths if batches are made by length.
template <class F>
struct function_column {
  mutable F f;
  int count;
  int size() const { return count; }
  int length(int row) const { return length_of_row(f(row)); }
  template <ir::text Name, class Session>
  void set(Session& session, std::span<const int> rows) const {
    std::vector<stored_row<decltype(f(0))>> some;
    some.reserve(rows.size());
    using plan = typename Session::plan;
    for (int row : rows) {
      some.push_back(f(row));
      column_checks<plan, engine::input_edge<plan>(Name)>::row(some.back(), row);
    }
    set_rows<Name>(session, some);
  }
  // Rows are made and checked when they are needed.
  template <class Plan, int E>
  int check(int) const {
    return -1;
  }
  template <class Plan, int E>
  static constexpr ir::problem unfit() {
    return unfit_rows<Plan, E, stored_row<decltype(std::declval<F&>()(0))>>();
  }
};
// A tensor, with the lengths of its rows if there are any.
template <class X, class Lengths>
struct tensor_column {
  X all;
  Lengths lengths;
  static constexpr bool has_lengths = !std::is_same_v<Lengths, std::nullptr_t>;
  int size() const { return static_cast<int>(all.shape()[0]); }
  int length([[maybe_unused]] int row) const {
    if constexpr (has_lengths) return static_cast<int>(*(std::begin(lengths) + row));
    else return 0;
  }
  template <ir::text Name, class Session>
  void set(Session& session, std::span<const int> rows) const {
    const picked_rows<std::remove_cvref_t<X>> some(all, rows);
    if constexpr (has_lengths) {
      std::vector<int> of_rows;
      for (int row : rows) of_rows.push_back(length(row));
      set_input<Name>(session, some, of_rows);
    } else {
      set_input<Name>(session, some);
    }
  }
  template <class Plan, int E>
  int check(int row) const {
    using checks = column_checks<Plan, E>;
    if constexpr (has_lengths)
      checks::length(*(std::begin(lengths) + row), row, [this] { return longest_row(*this); });
    return checks::tensor_row(all, row, has_lengths ? length(row) : -1);
  }
  template <class Plan, int E>
  static constexpr ir::problem unfit() {
    using rows = picked_rows<std::remove_cvref_t<X>>;
    if constexpr (has_lengths) return engine::unfit_input<Plan, E, rows, std::vector<int>>::wrong;
    else return engine::unfit_input<Plan, E, rows>::wrong;
  }
};

// A column with its name.
template <ir::text Name, class Values>
struct named_column {
  static constexpr ir::text name = Name;
  Values values;
  int size() const { return values.size(); }
  int length(int row) const { return values.length(row); }
  template <class Session>
  void set(Session& session, std::span<const int> rows) const {
    values.template set<Name>(session, rows);
  }
  // Returns the steps of this row, or -1 if it has none. Throws input_error if a run with this
  // plan could not accept it.
  template <class Plan>
  int check(int row) const {
    constexpr int e = engine::input_edge<Plan>(Name);
    if constexpr (e >= 0) return values.template check<Plan, e>(row);
    else return -1;
  }
  // What is wrong with the column for a session with this plan, if that has an input of this name.
  template <class Plan>
  static constexpr ir::problem unfit() {
    constexpr int e = engine::input_edge<Plan>(Name);
    if constexpr (e >= 0) return Values::template unfit<Plan, e>();
    else return {};
  }
};
template <ir::text Name, class Values>
named_column<Name, Values> with_name(Values values) {
  return {std::move(values)};
}
// Throws input_error for more rows than an int can count.
inline void check_count(std::string_view name, std::size_t rows) {
  checked_size(message_of({"column '", name, "'"}), rows, "rows");
}
template <ir::text Name, class Values>
struct unfit_column {
  static constexpr ir::problem wrong{.rule = ir::sentence("column '")
                                                 .append(Name.view())
                                                 .append("': '")
                                                 .append(ir::type_name<Values>().view())
                                                 .append("' cannot be asked for the value of a row"),
                                     .fix = "give a vector, a tensor, or a number of rows and a function"};
};
template <ir::text Name>
struct text_as_column {
  static constexpr ir::problem wrong{
      .rule = ir::sentence("column '")
                  .append(Name.view())
                  .append("': one text is given, where each row has a value"),
      .fix = ir::sentence(
                 "give the tokens of each row, words.encode(words_of(lines)), words a vocabulary; or cut one "
                 "long text, contiguous<\"")
                 .append(Name.view())
                 .append("\">(bytes_of(text))")};
};
struct nothing {  // replaces an argument that was reported as wrong; never called
  int size() const { return 0; }
  int length(int) const { return 0; }
  template <ir::text, class Session>
  void set(Session&, std::span<const int>) const {}
  template <class Plan, int E>
  int check(int) const {
    return -1;
  }
  template <class Plan, int E>
  static constexpr ir::problem unfit() {
    return {};
  }
};

}  // namespace detail

template <ir::text Name, class Values>
requires(engine::IsName<Name>)  //
    auto column(Values&& values) {
  using range = std::remove_cvref_t<Values>;
  if constexpr (concepts::TensorExpression<range>) {
    detail::check_count(Name.view(), static_cast<std::size_t>(values.shape()[0]));
    return detail::with_name<Name>(
        detail::tensor_column<range, std::nullptr_t>{static_cast<Values&&>(values), nullptr});
  } else if constexpr (detail::OneText<range>) {
    detail::say<detail::error_in<detail::text_as_column<Name>>>();
    return detail::with_name<Name>(detail::nothing{});
  } else if constexpr (detail::RowByRow<range>) {
    detail::check_count(Name.view(), static_cast<std::size_t>(std::size(values)));
    return detail::with_name<Name>(detail::range_column<detail::kept<Values>>{static_cast<Values&&>(values)});
  } else {
    detail::say<detail::error_in<detail::unfit_column<Name, range>>>();
    return detail::with_name<Name>(detail::nothing{});
  }
}
// A tensor [rows, steps, ..] and the length of each row.
template <ir::text Name, concepts::TensorExpression X, engine::Lengths Lengths>
requires(engine::IsName<Name>)  //
    auto column(X&& tensor, Lengths&& lengths) {
  detail::check_count(Name.view(), static_cast<std::size_t>(tensor.shape()[0]));
  if (std::size(lengths) != static_cast<std::size_t>(tensor.shape()[0]))
    detail::refuse_values(Name.view(), "expected " + std::to_string(tensor.shape()[0]) +
                                           " lengths, one for each row, got " +
                                           std::to_string(std::size(lengths)));
  return detail::with_name<Name>(detail::tensor_column<detail::kept<X>, detail::kept<Lengths>>{
      static_cast<X&&>(tensor), static_cast<Lengths&&>(lengths)});
}
// The value of each of `count` rows is f(row).
template <ir::text Name, class F>
requires(engine::IsName<Name>) && requires(F& f) { f(0); }
auto column(int count, F f) {
  if (count < 0) detail::refuse_values(Name.view(), "expected at least 0 rows, got " + std::to_string(count));
  return detail::with_name<Name>(detail::function_column<F>{std::move(f), count});
}

// Errors: the name is an argument, missing, a character, a number or a variable; values in braces have no type.
#define TENON_SENTENCE "a column has its name in angle brackets: write column<\"name\">(values)"
template <class Given TENON_AND_SAYS(TENON_SENTENCE)>
detail::nothing column(const volatile Given&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                                                   \
  "column<\"name\"> takes a vector, a tensor with its lengths, or a number of rows and a function of a " \
  "row; values in braces have no type: write std::vector{1, 2}"
template <ir::text Name TENON_AND_SAYS(TENON_SENTENCE)>
requires(engine::IsName<Name>) detail::nothing column(...)
TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                                           \
  "the name of a column is not a character, a number or a variable; write it in double quotes: " \
  "column<\"name\">(values)"
template <ir::text Name TENON_AND_SAYS(TENON_SENTENCE)>
requires(!engine::IsName<Name>) detail::nothing column(...)
TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
