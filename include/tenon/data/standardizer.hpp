// standardizer: brings numbers to one scale, (x - mean) / deviation of the rows that a network learns from, and back again.
//   const standardizer scale(rows, seen);     seen: positions, as split gives them
//   column<"house">(scale(rows))              rows: a vector of numbers, of arrays or of vectors of numbers, or a tensor [rows, numbers]
//   standardizer(rows, seen, {.allow_missing = true})     a NaN is a missing number: it becomes 0, the mean
//   scale.row(row)                            one row, such as a new house
//   scale.original(answer)                    a number in the unit of the file again
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/meta/rounding.hpp"
#include "tenon/tensor/expression.hpp"

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// The type of standardised numbers, one or several of a row: their own type, and float for whole numbers. A tensor
// is never written through a view.
template <class V>
struct on_one_scale {};
template <class T>
requires(std::is_arithmetic_v<T>)  //
    struct on_one_scale<T> {
  using type = std::conditional_t<std::is_floating_point_v<T>, T, float>;
};
template <class T, std::size_t N>
requires(std::is_arithmetic_v<T>)  //
    struct on_one_scale<std::array<T, N>> {
  using type = std::array<typename on_one_scale<T>::type, N>;
};
template <class T>
requires(std::is_arithmetic_v<T>)  //
    struct on_one_scale<std::vector<T>> {
  using type = std::vector<typename on_one_scale<T>::type>;
};
template <class X>
concept TensorOfNumbers = concepts::TensorExpression<X> && static_rank<X>()
!= 0 && static_rank<X>() <= 2 &&
    std::is_floating_point_v<typename X::value_type>&& std::constructible_from<typename X::temporary_type,
                                                                               const X&>;
template <class V>
concept RowOfNumbers = (TensorOfNumbers<V> && static_rank<V>() != 2) || requires {
  typename on_one_scale<V>::type;
};
template <class V>
inline constexpr bool is_vector_of_rows = false;
template <class Row>
inline constexpr bool is_vector_of_rows<std::vector<Row>> = requires {
  typename on_one_scale<Row>::type;
};
template <class V>
concept RowsOfNumbers = TensorOfNumbers<V> || is_vector_of_rows<V>;

// --- how many numbers, and each of them ------------------------------------------------------------------------
template <class Row>
std::size_t numbers_in_row(const Row& row) {
  if constexpr (std::is_arithmetic_v<Row>) return 1;
  else return row.size();
}
template <class Row>
decltype(auto) number_in_row(Row& row, std::size_t k) {  // a value for std::vector<bool>
  if constexpr (std::is_arithmetic_v<std::remove_const_t<Row>>) return (row);
  else return row[k];
}
template <class X>
std::size_t tensor_rank(const X& x, std::size_t highest) {
  const auto rank = static_cast<std::size_t>(x.dimension());
  if (rank == 0 || rank > highest)
    throw_input_error(
        {"standardizer: expected a tensor of rank 1", highest == 2 ? " or 2" : "", ", got rank ", rank});
  return rank;
}
template <class X>
decltype(auto) number_in_tensor(X& x, std::size_t r, std::size_t k) {
  constexpr int rank = static_rank<std::remove_const_t<X>>();
  if constexpr (rank == 1) return x(r);
  else if constexpr (rank == 2) return x(r, k);
  else return x.dimension() == 1 ? x(r) : x(r, k);
}

}  // namespace detail

struct standardizer_options {
  bool allow_missing =
      false;  // a NaN is a missing number: nothing is learned from it, and it becomes 0, the mean
};

class standardizer {
 public:
  // Mean and standard deviation (divided by the number of rows) of each number over the rows at these positions, in
  // double. A number that is equal in all of these rows has the deviation 1, and becomes 0. Throws input_error if
  // there are no rows, a position does not exist, a number is not finite, or rows differ in how many numbers they
  // have. Rows and numbers count from 0.
  template <detail::RowsOfNumbers Rows>
  standardizer(const Rows& rows, const std::vector<int>& seen, const standardizer_options& options = {})
      : options_(options) {
    learn(rows, seen.size(), [&](std::size_t i) { return seen[i]; });
  }
  template <detail::RowsOfNumbers Rows>
  standardizer(const Rows& rows, std::initializer_list<int> seen,  // {0, 1} is no std::vector<double>
               const standardizer_options& options = {})
      : options_(options) {
    learn(rows, seen.size(), [&](std::size_t i) { return seen.begin()[i]; });
  }
  // Over all rows.
  template <detail::RowsOfNumbers Rows>
  explicit standardizer(const Rows& rows) {
    learn(rows, rows_in(rows), [](std::size_t i) { return i; });
  }
  // Given means and deviations, such as those that an earlier program saved. Throws input_error if they differ in size,
  // or are empty, if a number is not finite, or if a deviation is not above 0.
  standardizer(std::vector<double> mean, std::vector<double> deviation,
               const standardizer_options& options = {});
#define TENON_SENTENCE                                                                                      \
  "standardizer takes rows, a vector of numbers, of arrays or of vectors of numbers, or an xtensor [rows, " \
  "numbers] of float or "                                                                                   \
  "double, and the positions of those to learn from, standardizer(rows, seen); or mean and deviation, two " \
  "std::vector<double>"
  TENON_SAYS(TENON_SENTENCE) standardizer(...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // All rows on one scale, in the type of the rows: whole numbers become float, a view of a tensor becomes a tensor.
  // Throws input_error, which names row and number, if a row has another count of numbers, or one that is not finite.
  template <detail::RowsOfNumbers Rows>
  auto operator()(const Rows& rows) const {
    const std::size_t count = rows_in(rows);
    if constexpr (detail::TensorOfNumbers<Rows>) {
      typename Rows::temporary_type scaled(rows);
      for (std::size_t r = 0; r < count; ++r) {
        check_row(rows, r);
        for (std::size_t k = 0; k < mean_.size(); ++k)
          detail::number_in_tensor(scaled, r, k) =
              static_cast<typename Rows::value_type>(z(number(rows, r, k), r, k));
      }
      return scaled;
    } else {
      std::vector<typename detail::on_one_scale<typename Rows::value_type>::type> scaled;
      scaled.reserve(count);
      for (std::size_t r = 0; r < count; ++r) {
        check_row(rows, r);
        scaled.push_back(scaled_row(static_cast<const typename Rows::value_type&>(rows[r]), r));
      }
      return scaled;
    }
  }
  // One row on this scale: a number, an array or a vector of numbers, or a tensor [numbers].
  template <detail::RowOfNumbers Row>
  auto row(const Row& one) const {
    if constexpr (detail::TensorOfNumbers<Row>) {
      detail::tensor_rank(one, 1);
      check_count(0, static_cast<std::size_t>(one.shape()[0]));
      typename Row::temporary_type scaled(one);
      for (std::size_t k = 0; k < mean_.size(); ++k)
        scaled(k) = static_cast<typename Row::value_type>(z(static_cast<double>(one(k)), 0, k));
      return scaled;
    } else {
      check_count(0, detail::numbers_in_row(one));
      return scaled_row(one, 0);
    }
  }
  template <class T, std::size_t N>
  requires(std::is_arithmetic_v<T>)            //
      auto row(const T (&numbers)[N]) const {  // in braces
    std::array<T, N> one;
    for (std::size_t k = 0; k < N; ++k) one[k] = numbers[k];
    return row(one);
  }
#define TENON_SENTENCE                                                                                 \
  "a standardizer takes rows, a vector of numbers, of arrays or of vectors of numbers, or an xtensor " \
  "[rows, numbers] of float or "                                                                       \
  "double, scale(rows); one row, a number, an array, a vector or an xtensor [numbers], is scale.row(row)"
  template <TENON_SAYS_AND(TENON_SENTENCE) class Rows>
  std::vector<float> operator()(const volatile Rows&, ...) const TENON_REFUSED(TENON_SENTENCE);
  template <TENON_SAYS_AND(TENON_SENTENCE) class Row>
  std::vector<float> row(const volatile Row&, ...) const TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // Number k of a row, from 0, in its original unit again. Throws input_error if a row has no number k.
  template <std::integral K = int>
  double original(double y, K k = 0) const {
    if (std::cmp_less(k, 0) || std::cmp_greater_equal(k, mean_.size()))
      detail::throw_input_error(
          {"standardizer: there is no number ", k, "; a row has ", mean_.size(), ", which count from 0"});
    return detail::multiply_add(y, deviation_[static_cast<std::size_t>(k)],
                                mean_[static_cast<std::size_t>(k)]);
  }

  // One for each number of a row.
  const std::vector<double>& mean() const { return mean_; }
  const std::vector<double>& deviation() const { return deviation_; }

 private:
  std::vector<double> mean_, deviation_;
  standardizer_options options_{};

  template <class Rows>
  static std::size_t rows_in(const Rows& rows) {
    if constexpr (detail::TensorOfNumbers<Rows>) {
      detail::tensor_rank(rows, 2);
      return static_cast<std::size_t>(rows.shape()[0]);
    } else {
      return rows.size();
    }
  }
  template <class Rows>
  static std::size_t numbers_in(const Rows& rows, std::size_t r) {
    if constexpr (detail::TensorOfNumbers<Rows>)
      return rows.dimension() == 1 ? 1 : static_cast<std::size_t>(rows.shape()[1]);
    else return detail::numbers_in_row(static_cast<const typename Rows::value_type&>(rows[r]));
  }
  template <class Rows>
  static double number(const Rows& rows, std::size_t r, std::size_t k) {
    if constexpr (detail::TensorOfNumbers<Rows>)
      return static_cast<double>(detail::number_in_tensor(rows, r, k));
    else {
      const typename Rows::value_type& row = rows[r];
      return static_cast<double>(detail::number_in_row(row, k));
    }
  }

  template <class Rows, class Position>
  void learn(const Rows& rows, std::size_t count, Position position) {
    if (count == 0) detail::throw_input_error({"standardizer: expected rows to learn from, got none"});
    for (std::size_t i = 0; i < count; ++i)
      if (std::cmp_less(position(i), 0) || std::cmp_greater_equal(position(i), rows_in(rows)))
        detail::throw_input_error({"standardizer: there is no row ", position(i), "; there are ",
                                   rows_in(rows), ", which count from 0"});
    const auto at = [&](std::size_t i) { return static_cast<std::size_t>(position(i)); };
    const std::size_t numbers = numbers_in(rows, at(0));
    if (numbers == 0) detail::throw_input_error({"standardizer: row ", at(0), " has no numbers"});
    mean_.assign(numbers, 0);
    deviation_.assign(numbers, 0);
    std::vector<double> first(numbers), there(numbers);  // of each number, where it is not missing
    for (std::size_t i = 0; i < count; ++i) {
      check_row(rows, at(i));
      for (std::size_t k = 0; k < numbers; ++k) {
        const double x = number(rows, at(i), k);
        if (is_missing(x)) continue;
        mean_[k] += finite(x, at(i), k);
        if (there[k]++ == 0) first[k] = x;
      }
    }
    for (std::size_t k = 0; k < numbers; ++k) {
      if (there[k] == 0)
        detail::throw_input_error({"standardizer: number ", k, " is missing in all rows to learn from"});
      mean_[k] /= there[k];
    }
    std::vector<int> differs(numbers);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < numbers; ++k) {
        const double x = number(rows, at(i), k);
        if (is_missing(x)) continue;
        differs[k] |= x != first[k];
        deviation_[k] = detail::multiply_add(x - mean_[k], x - mean_[k], deviation_[k]);
      }
    for (std::size_t k = 0; k < numbers; ++k) {
      deviation_[k] = std::sqrt(deviation_[k] / there[k]);
      if (!differs[k]) {
        mean_[k] = first[k];
        deviation_[k] = 1;
      }
      if (deviation_[k] == 0) deviation_[k] = 1;  // the squares of tiny differences are 0
      if (!std::isfinite(deviation_[k])) refuse_number(k, "deviation", "a finite number", deviation_[k]);
    }
  }

  template <class Row>
  typename detail::on_one_scale<Row>::type scaled_row(const Row& one, std::size_t r) const {
    typename detail::on_one_scale<Row>::type scaled{};
    if constexpr (requires { scaled.resize(mean_.size()); }) scaled.resize(mean_.size());
    for (std::size_t k = 0; k < mean_.size(); ++k) {
      auto& to = detail::number_in_row(scaled, k);
      to = static_cast<std::remove_reference_t<decltype(to)>>(
          z(static_cast<double>(detail::number_in_row(one, k)), r, k));
    }
    return scaled;
  }
  double z(double x, std::size_t r, std::size_t k) const {
    return is_missing(x) ? 0 : (finite(x, r, k) - mean_[k]) / deviation_[k];
  }
  bool is_missing(double x) const { return options_.allow_missing && std::isnan(x); }
  static double finite(double x, std::size_t r, std::size_t k) {
    if (!std::isfinite(x))
      detail::throw_input_error(
          {"standardizer: row ", r, ", number ", k, ": expected a finite number, got ",
           tenon::detail::fixed(x),
           std::isnan(x) ? "; where numbers are missing, standardizer(rows, seen, {.allow_missing = true})"
                         : ""});
    return x;
  }
  template <class Rows>
  void check_row(const Rows& rows, std::size_t r) const {
    check_count(r, numbers_in(rows, r));
  }
  void check_count(std::size_t r, std::size_t got) const;
  [[noreturn, gnu::cold]] static void refuse_number(std::size_t k, const char* of, const char* expected,
                                                    double got);
};

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/data/standardizer.ipp"
#endif
