// The bodies of split.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <string>

namespace tenon::inline v0_1::detail {

TENON_INLINE void check_shares(std::span<const double> shares) {
  double sum = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (!is_share(shares[k]))
      throw input_error("split: share " + std::to_string(k + 1) + " of " + std::to_string(shares.size()) +
                        ": expected one from 0 to 1, got " + fixed(shares[k]));
    sum += shares[k];
  }
  if (std::abs(sum - 1) > 1e-6)
    throw input_error("split: expected shares whose sum is 1, as of {0.8, 0.1, 0.1}, got a sum of " +
                      fixed(sum));
}

TENON_INLINE std::ptrdiff_t drawn_rows::end_of(double share) const {
  const auto rounded = static_cast<std::size_t>(std::lround(share * static_cast<double>(order.size())));
  std::size_t place = std::min(rounded, order.size());
  while (place < begins_group.size() && !begins_group[place]) ++place;
  return static_cast<std::ptrdiff_t>(place);
}

TENON_INLINE std::vector<int> drawn_rows::part(std::ptrdiff_t begin, std::ptrdiff_t end) const {
  std::vector<int> rows(order.begin() + begin, order.begin() + end);
  std::sort(rows.begin(), rows.end());
  return rows;
}

TENON_INLINE parts_of_data<std::vector<int>> dealt(const drawn_rows& rows, double share) {
  const std::ptrdiff_t end = rows.end_of(share);
  return {rows.part(end, rows.end()), rows.part(0, end)};
}

}  // namespace tenon::inline v0_1::detail
