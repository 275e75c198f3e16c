// column_checks: what the values of a whole column are held against before a training begins: lengths against the bound of the
// axis, tokens and classes against their range, rows against the number of features. Throws input_error, which names the column,
// the row and the step, expected and got, and the remedy.
#pragma once

#include "tenon/engine/session/given_ranges.hpp"
#include "tenon/engine/session/input_checks.hpp"
#include "tenon/tensor/expression.hpp"
#include "tenon/tensor/range.hpp"
#include "tenon/tensor/view.hpp"

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>

namespace tenon::detail {

// Of a row that is looked at by itself.
struct only_one {
  long operator()() const { return 0; }
};

template <class Plan, int E>
struct column_checks {
  using checks = engine::input_checks<Plan>;
  static constexpr ir::edge input = Plan::net.edges[E];
  static constexpr bool is_sequence = input.axis >= 0 && !input.is_grid();
  static constexpr long bound = Plan::steps(E);

  // Checks row r, whatever it is: returns its steps, or -1 where it is no sequence. longest() are the steps of the longest row.
  template <class Row, class Longest = only_one>
  static int row(const Row& row, int r, Longest longest = {}) {
    if constexpr (std::is_arithmetic_v<Row>) {
      if constexpr (input.is_token()) token(row, r);
      return -1;
    } else if constexpr (concepts::TensorExpression<Row> && input.is_grid()) {
      image(row, r);
      return -1;
    } else if constexpr (concepts::TensorExpression<Row>) {  // [steps, features]
      if (row.dimension() != 2) fail(r, {"rank ", row.dimension(), ", expected a tensor [steps, features]"});
      length(row.shape()[0], r, longest);
      numbers(static_cast<std::size_t>(row.shape()[1]), r);
      return static_cast<int>(row.shape()[0]);
    } else if constexpr (!is_sequence) {
      numbers(std::size(row), r);
      return -1;
    } else {
      length(std::size(row), r, longest);
      int t = 0;
      for (const auto& step : row) {
        if constexpr (input.is_token()) token(step, r, t);
        else numbers(std::size(step), r, t);
        ++t;
      }
      return t;
    }
  }
  // An image: [height, width, features], of one feature, and of tokens, also [height, width].
  template <class Image>
  static void image(const Image& x, int r) {
    constexpr int rank = input.is_token() ? 2 : 3;
    const int got = static_cast<int>(x.dimension());
    if (got != rank && (got != 2 || input.size != 1))
      fail(r, {"a tensor of rank ", got, ", expected ",
               input.is_token()  ? "[height, width]"
               : input.size == 1 ? "[height, width], or [height, width, 1]"
                                 : "[height, width, features]"});
    const long height = static_cast<long>(x.shape()[0]), width = static_cast<long>(x.shape()[1]);
    if (height != input.grid.height || width != input.grid.width)
      fail(r, {height, " x ", width, " places, expected ", int(input.grid.height), " x ",
               int(input.grid.width)});
    if constexpr (input.is_token()) {
      for (int y = 0; y < input.grid.height; ++y)
        for (int z = 0; z < input.grid.width; ++z)
          token(x(static_cast<std::size_t>(y), static_cast<std::size_t>(z)), r, y * input.grid.width + z);
    } else if (got == rank) {
      const auto features = static_cast<long>(x.shape()[2]);
      if (features != input.size) wrong_numbers(features, input.size, r, -1);
    }
  }
  // Row r of a tensor of all rows, [rows, time?, features?] or [rows, height, width, features?]; `given` is its length, or -1.
  template <class X>
  static int tensor_row(const X& all, int r, int given) {
    constexpr std::size_t rank = 1 + (input.is_grid() ? 2 : is_sequence ? 1 : 0) + (input.is_token() ? 0 : 1);
    constexpr bool may_lack_feature = engine::may_lack_feature(input);
    const bool lacks_feature = may_lack_feature && all.dimension() == rank - 1;
    if (all.dimension() != rank && !lacks_feature)
      fail(r, {"a tensor of rank ", all.dimension(), ", expected rank ", rank,
               may_lack_feature ? message_of({", or ", rank - 1}) : ""});
    const auto extent = [&](std::size_t axis) { return static_cast<long>(all.shape()[axis]); };
    if constexpr (!input.is_token()) {
      if (!lacks_feature && extent(rank - 1) != input.size)
        wrong_numbers(extent(rank - 1), input.size, r, -1);
    }
    if constexpr (input.is_grid()) {
      const long height = input.grid.height, width = input.grid.width;
      if (extent(1) != height || extent(2) != width)
        fail(r, {extent(1), " x ", extent(2), " places, expected ", height, " x ", width});
    } else if constexpr (is_sequence) {
      length(extent(1), r);
      if (given > extent(1)) fail(r, {given, " steps, and the tensor has ", extent(1)});
      const int steps = given < 0 ? static_cast<int>(extent(1)) : given;
      if constexpr (input.is_token())
        for (int t = 0; t < steps; ++t)
          token(all(static_cast<std::size_t>(r), static_cast<std::size_t>(t)), r, t);
      return steps;
    } else if constexpr (input.is_token()) {
      token(all(static_cast<std::size_t>(r)), r);
    }
    return -1;
  }
  template <class N, class Longest = only_one>
  static void length(N steps, int r, Longest longest = {}) {
    if (checks::is_negative(steps)) fail(r, {steps, " steps, expected 0 to ", bound});
    if (checks::is_below(steps, bound + 1)) return;
    if (const long most = longest(); !checks::is_below(steps, most))
      fail(r, {steps, " steps, expected at most ", bound, "; cut the sequence, or write steps<", steps, ">"});
    else
      fail(r, {steps, " steps, expected at most ", bound, ", and the longest row has ", most,
               "; cut the sequences, or write steps<", most, ">"});
  }
  // A token or class of row r, at step t where it has steps; of one long text at position r, where `row` is "position".
  template <class N>
  static void token(N token, int r, int t = -1, characters row = "row") {
    if (checks::template is_in_range<E>(token)) return;
    constexpr int table = checks::table_of(E);
    constexpr bool is_optional = checks::may_be_left_out(E);
    std::string expected =
        message_of({", expected 0 to ", input.range - 1, is_optional ? ", or -1 for none" : ""});
    if constexpr (table >= 0) {
      constexpr ir::name path = Plan::net.parameters[table].path;
      expected += message_of({", the rows of table '", ir::literal<ir::exact_text<path.size>(path)>, "'"});
    }
    std::string remedy = "; numbers begin at 0";
    if (!checks::is_below(token, ir::size_argument::largest)) remedy = "; no network has so many";
    else if (!checks::is_negative(token))
      remedy =
          is_optional
              ? message_of({"; the output needs ", token + 1, " features, one for each class"})
              : message_of({"; write token<", token + 1,
                            "> and as many rows, or bound the vocabulary: {.max_size = ", input.range, "}"});
    fail(r, {input.path == ir::name("target") ? "class " : "token ", token, expected, remedy}, t, row);
  }
  static void numbers(std::size_t got, int r, int t = -1) {
    constexpr int expected = input.size * (input.is_grid() ? static_cast<int>(bound) : 1);
    if (got != static_cast<std::size_t>(expected)) wrong_numbers(static_cast<long>(got), expected, r, t);
  }
  [[noreturn]] static void wrong_numbers(long got, int expected, int r, int t) {
    fail(r,
         {got, got == 1 ? " number" : " numbers", ", expected ", expected,
          input.path == ir::name("target") ? "; a target is as wide as its output"
                                           : "; mend the rows, or the features<> of the input"},
         t);
  }
  [[noreturn, gnu::cold]] static void fail(int r, std::initializer_list<message_part> what, int t = -1,
                                           characters row = "row") {
    std::string message =
        message_of({row == "row" ? "column '" : "input '", checks::template path<E>(), "', ", row, " ", r});
    if (t >= 0) message += message_of({", step ", t});
    throw input_error(message + ": " + message_of(what));
  }
};

}  // namespace tenon::detail
