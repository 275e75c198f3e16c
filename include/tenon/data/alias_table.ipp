// The bodies of alias_table.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/meta/inline.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tenon::inline v0_1 {

TENON_INLINE alias_table::alias_table(const std::vector<double>& weights) {
  double total = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (!(std::isfinite(weights[k]) && weights[k] >= 0))
      detail::throw_input_error({"alias_table: weight ", k, ": expected a finite number of at least 0, got ",
                                 detail::general(weights[k])});
    total += weights[k];
  }
  if (!(std::isfinite(total) && total > 0))
    detail::throw_input_error({"alias_table: expected weights with a finite sum above 0, got ",
                               weights.size(), " with the sum ", detail::general(total)});
  // A column that is not full takes the rest from a number that has more than a column.
  constexpr double whole = 4294967295.0;
  std::vector<double> shares;
  std::vector<int> below, above;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    shares.push_back(weights[k] / total * static_cast<double>(weights.size()));
    (shares.back() < 1 ? below : above).push_back(static_cast<int>(k));
    columns_.push_back({static_cast<std::uint32_t>(whole), static_cast<int>(k)});
  }
  while (!below.empty() && !above.empty()) {
    const std::size_t small = static_cast<std::size_t>(below.back()),
                      large = static_cast<std::size_t>(above.back());
    below.pop_back();
    columns_[small] = {static_cast<std::uint32_t>(shares[small] * whole), above.back()};
    shares[large] -= 1 - shares[small];
    if (shares[large] < 1) {
      below.push_back(above.back());
      above.pop_back();
    }
  }
}

}  // namespace tenon::inline v0_1
