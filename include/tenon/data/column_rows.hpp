// column_rows: some rows of a column, of any kind, in the form that a session accepts: tensors,
// padded sequences, images.
#pragma once

#include "tenon/data/column_checks.hpp"
#include "tenon/engine/session/by_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1::detail {

template <class V>
concept Number = std::is_arithmetic_v<V>;
// The type of a tensor's numbers, if it names one: with it a session tells numbers from tokens in its errors.
template <class X>
struct numbers_of {};
template <class X>
requires requires { typename X::value_type; }
struct numbers_of<X> {
  using value_type = typename X::value_type;
};
// The shape of a tensor whose type fixes its rank.
template <int Rank>
struct of_rank {
  using shape_type = std::array<std::size_t, std::size_t(Rank)>;
};
template <>
struct of_rank<-1> {};
// Some rows of a tensor.
template <class X>
struct picked_rows : numbers_of<X>, of_rank<static_rank<X>()> {
  const X& all;
  std::span<const int> rows;
  picked_rows(const X& tensor, std::span<const int> some) : all(tensor), rows(some) {}
  std::size_t dimension() const { return all.dimension(); }
  std::array<std::size_t, max_rank> shape() const {
    std::array<std::size_t, max_rank> s{};
    for (std::size_t k = 0; k < all.dimension() && k < max_rank; ++k)
      s[k] = static_cast<std::size_t>(all.shape()[k]);
    s[0] = rows.size();
    return s;
  }
  auto operator()(auto row, auto... more) const {
    return all(static_cast<std::size_t>(rows[static_cast<std::size_t>(row)]),
               static_cast<std::size_t>(more)...);
  }
};
// Sequences of features, each a tensor [steps, features], as one [rows, steps, features] with zeros after their ends.
template <class Sequence>
struct padded_sequences : numbers_of<Sequence> {
  std::span<const Sequence> sequences;
  std::size_t steps = 0, features = 0;
  explicit padded_sequences(std::span<const Sequence> rows) : sequences(rows) {
    for (const Sequence& s : sequences) steps = std::max(steps, static_cast<std::size_t>(s.shape()[0]));
    if (!sequences.empty()) features = static_cast<std::size_t>(sequences[0].shape()[1]);
  }
  std::size_t dimension() const { return 3; }
  std::array<std::size_t, 3> shape() const { return {sequences.size(), steps, features}; }
  auto operator()(auto row, auto step, auto feature) const {
    const Sequence& s = sequences[static_cast<std::size_t>(row)];
    using number = std::remove_cvref_t<decltype(s(step, feature))>;
    return static_cast<std::size_t>(step) < static_cast<std::size_t>(s.shape()[0]) ? s(step, feature)
                                                                                   : number(0);
  }
};

template <class Image, bool OfTokens>
inline constexpr int rank_of_images = static_rank<Image>() == 2 && !OfTokens ? 4
                                      : static_rank<Image>() >= 0            ? static_rank<Image>() + 1
                                                                             : -1;
// Images of one shape, each a tensor [height, width, features], as [rows, height, width, features]. Images
// [height, width] hold tokens, or have one feature.
template <class Image, bool OfTokens>
struct stacked_images : numbers_of<Image>, of_rank<rank_of_images<Image, OfTokens>> {
  std::span<const Image> images;
  explicit stacked_images(std::span<const Image> rows) : images(rows) {}
  std::size_t dimension() const {
    const std::size_t rank = images.empty() ? 0 : images[0].dimension();
    return rank == 2 && !OfTokens ? 4 : rank + 1;
  }
  std::array<std::size_t, max_rank> shape() const {
    std::array<std::size_t, max_rank> s{images.size(), 0, 0, 1};
    for (std::size_t k = 0; !images.empty() && k < images[0].dimension() && k + 1 < max_rank; ++k)
      s[k + 1] = static_cast<std::size_t>(images[0].shape()[k]);
    return s;
  }
  auto operator()(auto row, auto line, auto place, auto... feature) const {
    const Image& image = images[static_cast<std::size_t>(row)];
    if constexpr (OfTokens || sizeof...(feature) == 0) return image(line, place);
    else return with_feature<3, Image>{image}(line, place, feature...);
  }
  bool are_alike() const {
    for (const Image& image : images)
      for (std::size_t k = 0; k < images[0].dimension(); ++k)
        if (image.dimension() != images[0].dimension() || image.shape()[k] != images[0].shape()[k])
          return false;
    return true;
  }
};

[[noreturn, gnu::noinline]] inline void refuse_values(std::string_view name, const std::string& what) {
  throw input_error("column '" + std::string(name) + "': " + what);
}
// Is input E a grid, so that rows which are tensors are images and not sequences?
template <class Plan, int E>
constexpr bool takes_images() {
  if constexpr (E >= 0) return Plan::net.edges[E].is_grid();
  else return false;
}
// Sets an input to these rows, of any kind.
template <ir::text Name, class Session, class Row>
void set_rows(Session& session, const std::vector<Row>& rows) {
  using plan = typename Session::plan;
  constexpr int input = engine::input_edge<plan>(Name);
  if constexpr (concepts::TensorExpression<Row> && takes_images<plan, input>()) {
    const stacked_images<Row, plan::net.edges[input].is_token()> images(rows);
    if (!images.are_alike()) refuse_values(Name.view(), "expected images of one shape, got several");
    set_input<Name>(session, images);
  } else if constexpr (concepts::TensorExpression<Row>) {
    std::vector<int> lengths;
    for (const Row& row : rows) {
      if (row.dimension() != 2)
        refuse_values(Name.view(),
                      "expected tensors [steps, features], got rank " + std::to_string(row.dimension()));
      if (row.shape()[1] != rows[0].shape()[1])
        refuse_values(Name.view(), "expected tensors of as many features, got " +
                                       std::to_string(rows[0].shape()[1]) + " and " +
                                       std::to_string(row.shape()[1]));
      lengths.push_back(static_cast<int>(row.shape()[0]));
    }
    set_input<Name>(session, padded_sequences<Row>(rows), lengths);
  } else {
    set_input<Name>(session, rows);
  }
}

// What is wrong with such rows, as set_rows passes them, for input E of a session with this plan.
template <class Plan, int E, class Row>
constexpr ir::problem unfit_rows() {
  if constexpr (concepts::TensorExpression<Row> && takes_images<Plan, E>()) {
    return engine::unfit_input<Plan, E, stacked_images<Row, Plan::net.edges[E].is_token()>>::wrong;
  } else if constexpr (concepts::TensorExpression<Row>) {
    return engine::unfit_input<Plan, E, padded_sequences<Row>, std::vector<int>>::wrong;
  } else {
    using unfit = engine::unfit_input<Plan, E, std::vector<Row>>;
    if constexpr (Number<Row>)  // for a session a flat range, here one number for each row
      if (!unfit::wrong && !Plan::net.edges[E].is_token())
        if (const ir::problem p = unfit::expected.unfit_width(1); p.expected != 1) return p;
    return unfit::wrong;
  }
}

// Steps of a sequence of tokens or of features; all else has none.
template <class Row>
int length_of_row(const Row& row) {
  if constexpr (concepts::TensorExpression<Row>)
    return row.dimension() == 2 ? static_cast<int>(row.shape()[0]) : 0;
  else if constexpr (engine::Ragged<std::span<const Row>> || engine::NumberRows<Row>)
    return static_cast<int>(std::size(row));
  else return 0;
}

}  // namespace tenon::inline v0_1::detail
