// split: the rows of a data set in two or more parts, drawn with a seed.
//   auto [train, held_out] = split(data, 0.1, seed{1});
//   auto [train, validation, test] = split(data, {0.8, 0.1, 0.1}, seed{1});
//   auto [seen, held_out] = split(cities, 0.1, seed{1});     positions; all rows of a city are in one part
#pragma once

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/engine/rows/batches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

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
inline void check_share(double share) {
  if (!is_share(share)) throw input_error("split: expected a share from 0 to 1, got " + fixed(share));
}
void check_shares(std::span<const double> shares);

// Rows in the order in which they are dealt out to parts.
struct drawn_rows {
  std::vector<int> order;
  std::vector<bool> begins_group{};  // by place in the order; if empty, any row may be the first of a part
  // The end of a part that, with those before it, has this share of the rows: rounded, then
  // moved to the end of a group.
  std::ptrdiff_t end_of(double share) const;
  std::vector<int> part(std::ptrdiff_t begin, std::ptrdiff_t end) const;
  std::ptrdiff_t end() const { return static_cast<std::ptrdiff_t>(order.size()); }
};
inline drawn_rows drawn_one_by_one(int rows, seed s) { return {shuffled(rows, s, 0)}; }
template <class Key>
concept GroupKey = !std::is_pointer_v<Key> && requires(const std::vector<Key>& groups) {
  { groups[0] < groups[1] } -> std::convertible_to<bool>;
};
template <class Key>
bool are_equal(const Key& a, const Key& b) {
  return static_cast<bool>(a == b);
}
// Whether NaN is anywhere in a key: in a number, in a range, pair or tuple of keys, or in a type of the user's, which is
// then not equal to itself. NaN is not below or above any number, so such keys have no order.
template <class Key>
bool has_nan(const Key& key) {
  if constexpr (std::is_floating_point_v<Key>) {
    return std::isnan(key);
  } else if constexpr (std::is_arithmetic_v<Key>) {
    return false;
  } else if constexpr (requires {
                         std::begin(key);
                         requires !std::same_as<std::decay_t<decltype(*std::begin(key))>,
                                                Key>;  // as of a path
                       }) {
    return std::any_of(std::begin(key), std::end(key), [](const auto& x) { return has_nan(x); });
  } else if constexpr (requires { std::tuple_size<Key>::value; }) {
    return std::apply([](const auto&... x) { return (has_nan(x) || ...); }, key);
  } else if constexpr (std::equality_comparable<Key>) {
    return !are_equal(key, key);
  } else {
    return false;
  }
}
// Groups are numbered by their first rows, and the rows of a group stay together.
template <class Key>
drawn_rows drawn_by_groups(const std::vector<Key>& groups, seed s) {
  std::vector<int> by_key(static_cast<std::size_t>(checked_count(groups.size())));
  for (std::size_t row = 0; row < groups.size(); ++row)
    if (has_nan<Key>(groups[row]))
      throw_input_error({"split: row ", row, ": its group is not a number (NaN)"});
  std::iota(by_key.begin(), by_key.end(), 0);
  const auto is_below = [&](int a, int b) {
    return groups[static_cast<std::size_t>(a)] < groups[static_cast<std::size_t>(b)];
  };
  // Not std::stable_sort: that of libstdc++ makes clang warn.
  std::partial_sort(by_key.begin(), by_key.end(), by_key.end(),
                    [&](int a, int b) { return is_below(a, b) || (!is_below(b, a) && a < b); });
  std::vector<std::span<const int>> rows_of_group;
  for (std::size_t begin = 0, end = 0; begin < by_key.size(); begin = end) {
    while (end < by_key.size() && !is_below(by_key[begin], by_key[end])) ++end;
    rows_of_group.emplace_back(by_key.data() + begin, end - begin);
  }
  std::sort(rows_of_group.begin(), rows_of_group.end(),
            [](const auto& a, const auto& b) { return a[0] < b[0]; });
  drawn_rows drawn;
  for (const int g : shuffled(static_cast<int>(rows_of_group.size()), s, 0)) {
    const std::span<const int> rows = rows_of_group[static_cast<std::size_t>(g)];
    drawn.order.insert(drawn.order.end(), rows.begin(), rows.end());
    drawn.begins_group.push_back(true);
    drawn.begins_group.resize(drawn.order.size(), false);
  }
  return drawn;
}
parts_of_data<std::vector<int>> dealt(const drawn_rows& rows, double share);
template <std::size_t N>
std::array<std::vector<int>, N> dealt(const drawn_rows& rows, const double (&shares)[N]) {
  std::array<std::vector<int>, N> parts;
  double sum = 0;
  std::ptrdiff_t begin = 0;
  for (std::size_t k = 0; k < N; ++k) {
    sum += shares[k];
    const std::ptrdiff_t end = k + 1 == N ? rows.end() : rows.end_of(sum);
    parts[k] = rows.part(begin, end);
    begin = end;
  }
  return parts;
}

}  // namespace detail

// The positions of two parts of this many rows, drawn with a seed: auto [train, held_out] = split(5452, 0.1,
// seed{1}) holds out a tenth of them, rounded. Each part is in the order of the rows. Throws input_error for a
// share that is not between 0 and 1.
template <std::integral Count>
detail::parts_of_data<std::vector<int>> split(Count rows, double share, seed s) {
  detail::check_share(share);
  return detail::dealt(detail::drawn_one_by_one(detail::checked_count(rows), s), share);
}
// The same for a vector with the group of each row, such as its city, or a key of rows that may occur twice: rows with
// equal groups are in one part. Groups are drawn, and the part ends with the group that reaches its share of the rows,
// so it has only roughly that share. If each group has one row, it is split(rows, share, s). Groups are compared by <.
template <detail::GroupKey Key>
detail::parts_of_data<std::vector<int>> split(const std::vector<Key>& groups, double share, seed s) {
  detail::check_share(share);
  return detail::dealt(detail::drawn_by_groups(groups, s), share);
}
// The two parts of a data set, divided like this: auto [train, held_out] = split(data, 0.1, seed{1}).
template <class... Columns>
detail::parts_of_data<data_set<Columns...>> split(const data_set<Columns...>& data, double share, seed s) {
  const auto [rest, part] = split(data.size(), share, s);
  return {data.part(rest), data.part(part)};
}

// The positions of a part for each share: auto [train, validation, test] = split(5452, {0.8, 0.1, 0.1}, seed{1}). Every
// row is in one part, and each part is in the order of the rows. The ends of the parts are rounded, so that together
// they hold all rows. Throws input_error for a share that is not between 0 and 1, and for shares whose sum is not 1.
template <std::integral Count, std::size_t N>
requires(N >= 2)  //
    std::array<std::vector<int>, N> split(Count rows, const double (&shares)[N], seed s) {
  detail::check_shares(shares);
  return detail::dealt(detail::drawn_one_by_one(detail::checked_count(rows), s), shares);
}
// The same for a vector with the group of each row: each part but the last ends with the group that reaches the sum of
// the shares so far. A part may be empty if a group is larger than its share.
template <detail::GroupKey Key, std::size_t N>
requires(N >= 2)  //
    std::array<std::vector<int>, N> split(const std::vector<Key>& groups, const double (&shares)[N], seed s) {
  detail::check_shares(shares);
  return detail::dealt(detail::drawn_by_groups(groups, s), shares);
}
// The parts of a data set, divided like this: auto [train, validation, test] = split(data, {0.8, 0.1, 0.1}, seed{1}).
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
#define TENON_SENTENCE                                                                                     \
  "split takes data, a number of rows or a vector with the group of each row, the share to hold out or a " \
  "share "                                                                                                 \
  "for each part in braces, and the seed, as in split(data, {0.8, 0.1, 0.1}, seed{1})"
template <TENON_SAYS_AND(TENON_SENTENCE) class... Columns>
void split(const data_set<Columns...>&, ...) TENON_REFUSED(TENON_SENTENCE);
// split(n, 0.1) is not refused: it may be a function of the user's.
template <TENON_SAYS_AND(TENON_SENTENCE) std::integral Count, class Seed>
void split(Count, double, const Seed&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) std::integral Count, std::size_t N>
void split(Count, const double (&)[N], ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class Key, class Seed>
void split(const std::vector<Key>&, double, const Seed&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class Key, std::size_t N>
void split(const std::vector<Key>&, const double (&)[N], ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/data/split.ipp"
#endif
