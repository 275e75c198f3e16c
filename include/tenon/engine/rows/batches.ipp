// The bodies of batches.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <numeric>

namespace tenon::inline v0_1 {

TENON_INLINE std::vector<int> shuffled(int n, seed s, int epoch) {
  if (n < 0) detail::throw_input_error({"shuffled: expected a number of rows, got ", n});
  std::vector<int> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), 0);
  backend::random_stream random(s.value, static_cast<std::uint64_t>(epoch));
  for (std::size_t i = rows.size(); i > 1; --i)
    std::swap(rows[i - 1], rows[random.below(static_cast<std::uint32_t>(i))]);
  return rows;
}

TENON_INLINE detail::batching similar_length(int batches) {
  if (batches < 1)
    throw input_error("similar_length: expected at least 1 batch, got " + std::to_string(batches));
  detail::batching result;
  result.sorted_together = batches;
  return result;
}

}  // namespace tenon::inline v0_1
