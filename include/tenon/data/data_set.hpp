// data_set(column<"x">(..), column<"target">(..), ..): rows with a value for each input of a graph and of its
// objective. It is a handle: copies share the columns, and a part of a data set is a data set too. One that was moved from
// has nothing: all that it can do is to throw input_error.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/wrong_call.hpp"

#include "tenon/data/column.hpp"
#include "tenon/data/split.hpp"
#include "tenon/engine/rows/batches.hpp"
#include "tenon/meta/erased.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// A session without an objective, such as an inference, ignores columns that it has no input for: the target.
template <class Session>
inline constexpr bool takes_only_inputs = engine::has_objective<Session>&& requires {
  typename Session::objective;
};
// What is wrong with the columns for the inputs of a session.
template <class Session, class... Columns>
struct unfit_columns {
  using plan = typename Session::plan;
  static constexpr ir::problem wrong = [] {
    if (!engine::is_laid_out<plan>) return ir::problem{};
    ir::problem p{};
    if constexpr (takes_only_inputs<Session>)
      ((p = p ? p
            : engine::input_edge<plan>(Columns::name) < 0
                ? engine::unfit_name_of_input<plan, Columns::name>::wrong
                : p),
       ...);
    if (p) return p;
    ir::sentence all = "the columns are";
    int k = 0;
    ((all.append(k++ > 0 ? ", '" : " '").append(Columns::name.view()).append("'")), ...);
    for (int e : plan::net.inputs) {
      if (plan::streaming && plan::is_stepped_edge(e)) continue;  // step() sets it
      const ir::name& input = plan::net.edges[e].path;
      if (!(... || (input == ir::name(Columns::name))))
        return ir::problem{.rule = ir::sentence("input '").append(input.view()).append("' has no column"),
                           .fix = all};
    }
    ((p = p ? p : Columns::template unfit<plan>()), ...);
    return p;
  }();
};

template <class C>
concept NamedColumn = requires {
  C::name;
};
template <class Rows>
struct unfit_positions {
  static constexpr ir::problem wrong{.rule = ir::sentence("'")
                                                 .append(ir::type_name<std::remove_cvref_t<Rows>>().view())
                                                 .append("' cannot select rows of a data set"),
                                     .fix = "give their positions, a range of whole numbers"};
};
// The only column of a data set that was made of anything but columns.
struct no_columns {};
template <class...>
struct unnamed_columns {
  static constexpr ir::problem wrong{.rule = "a data set takes a column for each input",
                                     .fix = "write data_set(column<\"x\">(..), column<\"target\">(..))"};
};

}  // namespace detail

template <class... Columns>
class data_set {
 public:
  // Throws input_error if two columns differ in their number of rows.
  explicit data_set(Columns... each) : columns_(std::tuple<Columns...>(std::move(each)...)) {
    std::apply([](const auto& first, const auto&... others) { (check_size(first, others), ...); }, columns());
    const int rows = std::get<0>(columns()).size();
    rows_ = std::make_shared<const std::vector<int>>([rows] {
      std::vector<int> all(static_cast<std::size_t>(rows));
      std::iota(all.begin(), all.end(), 0);
      return all;
    }());
  }

  template <class Session>
  using unfit = detail::unfit_columns<Session, Columns...>;

  int size() const { return static_cast<int>(rows().size()); }
  // The longest sequence of a row; 0 if there is none.
  int length(int row) const {
    const int of = row_at(row);
    return std::apply([of](const auto&... column) { return std::max({column.length(of)...}); }, columns());
  }
  // Sets the inputs of a session to these rows, given as any range of whole numbers.
  template <class Session, class Rows>
  void set_inputs(Session& session, Rows&& rows) const {
    if constexpr (unfit<Session>::wrong) {
      tenon::detail::say<tenon::detail::error_in<unfit<Session>>>();
    } else if constexpr (!detail::Positions<Rows>) {
      tenon::detail::say<tenon::detail::error_in<detail::unfit_positions<Rows>>>();
    } else {
      const std::vector<int> of = rows_at(rows);
      std::apply([&](const auto&... column) { (set_column(session, column, of), ...); }, columns());
    }
  }
  // Throws input_error if a session of this type could not accept a row: a token outside its range, a sequence beyond
  // its bound, too few numbers, sequences on one axis that differ in length. Rows that a function makes are checked
  // when they are made. `fit` and `evaluate` call it first.
  template <class Session>
  void check_inputs() const {
    if constexpr (!unfit<Session>::wrong) {
      using plan = typename Session::plan;
      for (int row : rows()) {
        steps_of_row<plan> seen{};
        std::apply([&](const auto&... column) { (check_column<plan>(column, row, seen), ...); }, columns());
      }
    }
  }
  // A data set of these rows, given as any range of whole numbers, in their order.
  template <class Rows>
  data_set part(Rows&& rows) const {
    data_set result = *this;
    if constexpr (!detail::Positions<Rows>)
      tenon::detail::say<tenon::detail::error_in<detail::unfit_positions<Rows>>>();
    else result.rows_ = std::make_shared<const std::vector<int>>(rows_at(rows));
    return result;
  }

 private:
  const std::tuple<Columns...>& columns() const { return columns_.as<const std::tuple<Columns...>>(); }
  const std::vector<int>& rows() const {
    if (rows_ == nullptr)
      throw input_error(
          "a data set whose contents were moved to another cannot be used; copy it instead: copies "
          "share their columns");
    return *rows_;
  }
  template <class First, class Other>
  static void check_size(const First& first, const Other& other) {
    if (first.size() != other.size())
      throw input_error("column '" + std::string(Other::name.view()) + "' has " +
                        std::to_string(other.size()) + " rows, column '" + std::string(First::name.view()) +
                        "' has " + std::to_string(first.size()));
  }
  // The columns' row at a position. Throws input_error if there is none.
  int row_at(std::integral auto row) const {
    return rows()[static_cast<std::size_t>(detail::position(row, size(), "a data set"))];
  }
  template <class Rows>
  std::vector<int> rows_at(Rows& positions) const {
    rows();  // also if there are no positions
    std::vector<int> all;
    for (auto row : positions) all.push_back(row_at(row));
    return all;
  }
  // For each axis: the steps of a row, and the column that they come from.
  struct steps_and_column {
    int steps = -1;
    std::string_view column{};
  };
  template <class Plan>
  using steps_of_row = std::array<steps_and_column, Plan::net.axes.size + 1>;
  template <class Plan, class Column>
  static void check_column(const Column& column, int row, steps_of_row<Plan>& seen) {
    const int steps = column.template check<Plan>(row);
    if (steps < 0) return;
    auto& first =
        seen[static_cast<std::size_t>(Plan::net.edges[engine::input_edge<Plan>(Column::name)].axis)];
    if (first.steps >= 0 && steps != first.steps)
      detail::throw_input_error({"column '", Column::name.view(), "', row ", row, ": ", steps,
                                 " steps, and column '", first.column, "' has ", first.steps,
                                 " on the same time axis"});
    first = {steps, Column::name.view()};
  }
  template <class Session, class Column>
  static void set_column(Session& session, const Column& column, std::span<const int> rows) {
    if constexpr (engine::input_edge<typename Session::plan>(Column::name) >= 0) column.set(session, rows);
  }

  engine::shared_value columns_;
  std::shared_ptr<const std::vector<int>> rows_;
};

// data_set(x, targets): refused in words; a training that is given it reports no further error.
template <>
class data_set<detail::no_columns> {
 public:
  template <class... Given>
  explicit data_set(const Given&...) {
    tenon::detail::say<tenon::detail::error_in<detail::unnamed_columns<Given...>>>();
  }
  int size() const { return 0; }
  template <class Session, class Rows>
  void set_inputs(Session&, Rows&&) const {}
  template <class Rows>
  data_set part(Rows&&) const {
    return *this;
  }
};
template <class... Given>
requires(sizeof...(Given) == 0 || !(... && detail::NamedColumn<Given>)) data_set(const Given&...)
->data_set<detail::no_columns>;

}  // namespace tenon::inline v0_1
