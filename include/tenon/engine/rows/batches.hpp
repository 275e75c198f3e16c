// batches: which rows of a data set run together. The order of an epoch is shuffled with a seed. Rows of similar length
// can be put into one batch, so that there is little padding.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/backend/random.hpp"
#include "tenon/diagnostics/input_error.hpp"
#include "tenon/parameters/parameters.hpp"
#include "tenon/tensor/range.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {
// Row numbers: any range of whole numbers.
template <class R>
concept Positions = requires(R& rows) {
  std::begin(rows) != std::end(rows);
  requires std::integral<std::iter_value_t<decltype(std::begin(rows))>>;
};
// The row number as an int. Throws input_error if it is not in 0 .. rows-1.
template <std::integral N>
int position(N row, int rows, const char* of) {
  if constexpr (std::is_signed_v<N>)
    if (row < 0) throw_input_error({"row ", row, " is outside ", of, " of ", rows, " rows"});
  if (static_cast<unsigned long long>(row) >= static_cast<unsigned long long>(rows))
    throw_input_error({"row ", row, " is outside ", of, " of ", rows, " rows"});
  return static_cast<int>(row);
}
}  // namespace detail

// The rows 0 .. n-1 in the order of an epoch (Fisher and Yates 1938). Throws input_error if n is negative.
std::vector<int> shuffled(int n, seed s, int epoch);

// Calls f(rows) for consecutive batches of at most `batch` rows; the last may be smaller.
template <class F>
void for_each_batch(std::span<const int> rows, int batch, F f) {
  if (batch <= 0)
    throw input_error("for_each_batch: a batch needs a positive number of rows, got " +
                      std::to_string(batch));
  for (std::size_t at = 0; at < rows.size(); at += static_cast<std::size_t>(batch))
    f(rows.subspan(at, std::min(static_cast<std::size_t>(batch), rows.size() - at)));
}

template <detail::Positions Rows, class F>
requires(!std::convertible_to<Rows&, std::span<const int>>)  //
    void for_each_batch(Rows&& rows, int batch, F f) {
  std::vector<int> all;
  for (auto row : rows) {
    if (!std::in_range<int>(+row))
      throw input_error("for_each_batch: row " + std::to_string(row) + " is not an int");
    all.push_back(static_cast<int>(row));
  }
  for_each_batch(std::span<const int>(all), batch, f);
}

namespace detail {
template <class Number>
struct rows_for_batches {
  static constexpr ir::problem wrong{.rule = "a number is given for .batches, which says what runs together",
                                     .fix =
                                         "write .batches = similar_length(20); how many rows are a batch is "
                                         "an option of the trainer, batch<32>"};
};
// How an epoch is cut into batches.
struct batching {
  int sorted_together = 1;  // the rows of this many batches are sorted by length before they are cut

  constexpr batching() = default;
  template <std::integral Number>
  constexpr batching(Number) {
    say<error_in<rows_for_batches<Number>>>();
  }
};
}  // namespace detail
// Batches of similar length: the rows of `batches` shuffled batches are sorted by length and cut again; the batches
// then run in a random order (Bahdanau et al. 2015 used 20).
detail::batching similar_length(int batches = 20);

namespace engine {

// The batches of an epoch. length(row) is called only if rows are sorted.
template <class Length>
std::vector<std::vector<int>> batches_of_epoch(int rows, int batch, const tenon::detail::batching& how,
                                               seed s, int epoch, Length length) {
  const std::vector<int> order = shuffled(rows, s, epoch);
  std::vector<std::vector<int>> all;
  const auto cut = [&](std::span<const int> some) {
    for_each_batch(some, batch, [&](std::span<const int> few) { all.emplace_back(few.begin(), few.end()); });
  };
  if (how.sorted_together <= 1) {
    cut(order);
    return all;
  }
  const std::size_t together =
      static_cast<std::size_t>(batch) * static_cast<std::size_t>(how.sorted_together);
  std::vector<std::pair<int, std::size_t>>
      some;  // length, place: rows of equal length stay in shuffled order
  std::vector<int> sorted;
  sorted.reserve(order.size());
  for (std::size_t at = 0; at < order.size(); at += together) {
    const std::size_t end = std::min(at + together, order.size());
    some.clear();
    for (std::size_t k = at; k < end; ++k) some.emplace_back(length(order[k]), k);
    std::sort(some.begin(), some.end());
    for (const auto& [of_row, k] : some) sorted.push_back(order[k]);
  }
  cut(sorted);
  std::vector<std::vector<int>> mixed;
  for (int k : shuffled(static_cast<int>(all.size()), s, ~epoch))
    mixed.push_back(std::move(all[static_cast<std::size_t>(k)]));
  return mixed;
}

}  // namespace engine
}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/engine/rows/batches.ipp"
#endif
