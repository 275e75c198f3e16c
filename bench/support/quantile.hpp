// quantile of measured times: 0.5 is the median.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

inline double quantile(std::vector<double> x, double q) {
  std::sort(x.begin(), x.end());
  const double at = q * static_cast<double>(x.size() - 1);
  const auto low = static_cast<std::size_t>(at), high = std::min(low + 1, x.size() - 1);
  return x[low] + (at - static_cast<double>(low)) * (x[high] - x[low]);
}

}  // namespace bench
