// column_checks: checks the values of a whole column before a training begins: lengths against the bound of the axis,
// tokens and classes against their range, rows against the number of features. Throws input_error, which names the
// column, the row and the step, expected and got, and the remedy.
#pragma once

#include "tenon/engine/inputs/given_ranges.hpp"
#include "tenon/engine/inputs/input_checks.hpp"
#include "tenon/tensor/expression.hpp"
#include "tenon/tensor/range.hpp"
#include "tenon/tensor/view.hpp"

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>

namespace tenon::inline v0_1::detail {

// How given values are kept: copied or moved. The memory behind a view is read directly, as is
// an array, which cannot be copied.
template <class V>
using kept = std::conditional_t<std::is_array_v<std::remove_reference_t<V>>,
                                const std::remove_reference_t<V>&, std::remove_cvref_t<V>>;
// For a row that is checked by itself.
struct only_one {
  long operator()() const { return 0; }
};

template <class Plan, int E>
struct column_checks {
  using checks = engine::input_checks<Plan>;
  static constexpr ir::edge input = Plan::net.edges[E];
  static constexpr bool is_sequence = input.axis >= 0 && !input.is_grid();
  static constexpr long bound = Plan::steps(E);

  // Checks row r of any kind: returns its steps, or -1 if it is no sequence. longest() gives
  // the steps of the longest row.
  template <class Row, class Longest = only_one>
  static int row(const Row& row, int r, Longest longest = {}) {
    if constexpr (std::is_arithmetic_v<Row>) {
      if constexpr (input.is_token()) token(row, r);
      return -1;
    } else if constexpr (concepts::TensorExpression<Row> && input.is_grid()) {
      image(row, r);
      return -1;
    } else if constexpr (concepts::TensorExpression<Row>) {  // [steps, features]
      if (row.dimension() != 2)
        engine::refuse_column(at(r), {"rank ", row.dimension(), ", expected a tensor [steps, features]"});
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
  // An image [height, width, features]; with one feature, or of tokens, also [height, width].
  template <class Image>
  static void image(const Image& x, int r) {
    constexpr int rank = input.is_token() ? 2 : 3;
    const int got = static_cast<int>(x.dimension());
    if (got != rank && (got != 2 || input.size != 1))
      engine::refuse_column(at(r), {"a tensor of rank ", got, ", expected ",
                                    input.is_token()  ? "[height, width]"
                                    : input.size == 1 ? "[height, width], or [height, width, 1]"
                                                      : "[height, width, features]"});
    const long height = static_cast<long>(x.shape()[0]), width = static_cast<long>(x.shape()[1]);
    if (height != input.grid.height || width != input.grid.width)
      engine::refuse_column(at(r), {height, " x ", width, " places, expected ", int(input.grid.height), " x ",
                                    int(input.grid.width)});
    if constexpr (input.is_token()) {
      for (int y = 0; y < input.grid.height; ++y)
        for (int z = 0; z < input.grid.width; ++z)
          token(x(static_cast<std::size_t>(y), static_cast<std::size_t>(z)), r, y * input.grid.width + z);
    } else if (got == rank) {
      const auto features = static_cast<long>(x.shape()[2]);
      if (features != input.size) engine::refuse_numbers(at(r), features, input.size);
    }
  }
  // Row r of a tensor of all rows, [rows, time?, features?] or [rows, height, width,
  // features?]; `own_length` is that of the row, or -1.
  template <class X>
  static int tensor_row(const X& all, int r, int own_length) {
    constexpr std::size_t rank = 1 + (input.is_grid() ? 2 : is_sequence ? 1 : 0) + (input.is_token() ? 0 : 1);
    constexpr bool may_lack_feature = engine::may_lack_feature(input);
    const bool lacks_feature = may_lack_feature && all.dimension() == rank - 1;
    if (all.dimension() != rank && !lacks_feature)
      engine::refuse_column(at(r), {"a tensor of rank ", all.dimension(), ", expected rank ", rank,
                                    may_lack_feature ? message_of({", or ", rank - 1}) : ""});
    const auto extent = [&](std::size_t axis) { return static_cast<long>(all.shape()[axis]); };
    if constexpr (!input.is_token()) {
      if (!lacks_feature && extent(rank - 1) != input.size)
        engine::refuse_numbers(at(r), extent(rank - 1), input.size);
    }
    if constexpr (input.is_grid()) {
      const long height = input.grid.height, width = input.grid.width;
      if (extent(1) != height || extent(2) != width)
        engine::refuse_column(at(r),
                              {extent(1), " x ", extent(2), " places, expected ", height, " x ", width});
    } else if constexpr (is_sequence) {
      length(extent(1), r);
      if (own_length > extent(1))
        engine::refuse_column(at(r), {own_length, " steps, and the tensor has ", extent(1)});
      const int steps = own_length < 0 ? static_cast<int>(extent(1)) : own_length;
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
    if (checks::is_negative(steps)) engine::refuse_steps(at(r), steps, bound);
    if (checks::is_below(steps, bound + 1)) return;
    if (const long most = longest(); checks::is_below(steps, most))
      engine::refuse_steps(at(r), steps, bound, most);
    engine::refuse_steps(at(r), steps, bound);
  }
  // A token or class of row r, at step t if it has steps.
  template <class N>
  static void token(N token, int r, int t = -1) {
    if (!checks::template is_in_range<E>(token)) refuse(token, at(r, t));
  }
  // The same at a position of one long text.
  template <class N>
  static void token_of_text(N token, int position) {
    if (!checks::template is_in_range<E>(token))
      refuse(token, {checks::template path<E>(), position, -1, true});
  }
  static void numbers(std::size_t got, int r, int t = -1) {
    constexpr int expected = input.size * (input.is_grid() ? static_cast<int>(bound) : 1);
    if (got != static_cast<std::size_t>(expected))
      engine::refuse_numbers(at(r, t), static_cast<long>(got), expected);
  }

 private:
  static engine::column_place at(int r, int t = -1) { return {checks::template path<E>(), r, t}; }
  template <class N>
  [[noreturn]] static void refuse(N token, const engine::column_place& where) {
    engine::refuse_token(where, token, checks::template tokens<E>());
  }
};

}  // namespace tenon::inline v0_1::detail
