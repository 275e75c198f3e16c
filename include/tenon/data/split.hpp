// split: the rows of a data set in two parts, or in several, drawn under a seed.
//   auto [train, held_out] = split(data, 0.1, seed{1});
//   auto [train, validation, test] = split(data, {0.8, 0.1, 0.1}, seed{1});
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/engine/session/batches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tenon {

template <class... Columns>
class data_set;

namespace detail {

template <class Data>
struct parts_of_data {
  Data rest, part;
};

inline bool is_share(double share) { return share >= 0 && share <= 1; }
template <std::integral Count>
int checked_count(Count rows) {
  if (std::cmp_less(rows, 0) || std::cmp_greater(rows, std::numeric_limits<int>::max()))
    throw_input_error({"split: expected a number of rows, got ", rows});
  return static_cast<int>(rows);
}
inline void check_shares(std::span<const double> shares) {
  double sum = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (!is_share(shares[k]))
      throw input_error("split: share " + std::to_string(k + 1) + " of " + std::to_string(shares.size()) +
                        ": expected one from 0 to 1, got " + std::to_string(shares[k]));
    sum += shares[k];
  }
  if (std::abs(sum - 1) > 1e-6)
    throw input_error("split: expected shares whose sum is 1, as of {0.8, 0.1, 0.1}, got a sum of " +
                      std::to_string(sum));
}

}  // namespace detail

// The positions of two parts of so many rows, drawn under a seed: auto [train, held_out] = split(5452, 0.1, seed{1}) holds out a tenth
// of them, rounded. Each part is in the order of the rows. Throws input_error for a share that is not between 0 and 1.
template <std::integral Count>
detail::parts_of_data<std::vector<int>> split(Count rows, double share, seed s) {
  if (!detail::is_share(share))
    throw input_error("split: expected a share from 0 to 1, got " + std::to_string(share));
  const std::vector<int> order = shuffled(detail::checked_count(rows), s, 0);
  const auto end_of_part = order.begin() + std::lround(share * static_cast<double>(rows));
  detail::parts_of_data<std::vector<int>> parts{{end_of_part, order.end()}, {order.begin(), end_of_part}};
  std::sort(parts.rest.begin(), parts.rest.end()), std::sort(parts.part.begin(), parts.part.end());
  return parts;
}
// The two parts of a data set at these positions: auto [train, held_out] = split(data, 0.1, seed{1}).
template <class... Columns>
detail::parts_of_data<data_set<Columns...>> split(const data_set<Columns...>& data, double share, seed s) {
  const auto [rest, part] = split(data.size(), share, s);
  return {data.part(rest), data.part(part)};
}

// The positions of a part for each share: auto [train, validation, test] = split(5452, {0.8, 0.1, 0.1}, seed{1}). Every row is in one
// part, and each part is in the order of the rows. The ends of the parts are rounded, so that together they are all rows. Throws
// input_error for a share that is not between 0 and 1, and for shares whose sum is not 1.
template <std::integral Count, std::size_t N>
requires(N >= 2)  //
    std::array<std::vector<int>, N> split(Count rows, const double (&shares)[N], seed s) {
  detail::check_shares(shares);
  const std::vector<int> order = shuffled(detail::checked_count(rows), s, 0);
  std::array<std::vector<int>, N> parts;
  double sum = 0;
  auto begin = order.begin();
  for (std::size_t k = 0; k < N; ++k) {
    sum += shares[k];
    const auto end = k + 1 == N ? order.end()
                                : order.begin() + std::min(std::lround(sum * static_cast<double>(rows)),
                                                           static_cast<long>(order.size()));
    parts[k].assign(begin, end), std::sort(parts[k].begin(), parts[k].end());
    begin = end;
  }
  return parts;
}
// The parts of a data set at these positions: auto [train, validation, test] = split(data, {0.8, 0.1, 0.1}, seed{1}).
template <class... Columns, std::size_t N>
requires(N >= 2)  //
    std::array<data_set<Columns...>, N> split(const data_set<Columns...>& data, const double (&shares)[N],
                                              seed s) {
  const auto parts = split(data.size(), shares, s);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<data_set<Columns...>, N>{data.part(parts[I])...};
  }
  (std::make_index_sequence<N>{});
}
#define TENON_SENTENCE                                                                                       \
  "split takes data or a number of rows, the share to hold out or a share for each part in braces, and the " \
  "seed, as in split(data, {0.8, 0.1, 0.1}, seed{1})"
template <class... Columns TENON_AND_SAYS(TENON_SENTENCE)>
void split(const data_set<Columns...>&, ...) TENON_REFUSED(TENON_SENTENCE);
// split(n, 0.1) may be a function of a user's
template <std::integral Count, class Seed TENON_AND_SAYS(TENON_SENTENCE)>
void split(Count, double, const Seed&, ...) TENON_REFUSED(TENON_SENTENCE);
template <std::integral Count, std::size_t N TENON_AND_SAYS(TENON_SENTENCE)>
void split(Count, const double (&)[N], ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon
