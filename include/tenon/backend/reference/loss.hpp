// Means of one number at each position: rows, or the steps of sequences up to their lengths.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/reference/axis.hpp"
#include "tenon/backend/reference/tag.hpp"

namespace tenon::inline v0_1::backend {

// Over all rows r and steps t < lengths[r]: the sum of values[t, r], and the sum of counts[t, r]. No counts: each is 1.
// In double, so that a float's rounding does not add up over a million positions.
template <class T>
positions_sum sum_positions(reference, int steps, int rows, const int* lengths,
                            const operand<const T>& values, const operand<const T>& counts) {
  positions_sum all;
  for (int r = 0; r < rows; ++r)
    for (int t = 0, end = detail::end_of(lengths, r, steps); t < end; ++t) {
      all.count +=
          counts.data == nullptr ? 1 : static_cast<double>(counts.data[t * counts.step + r * counts.row]);
      all.sum += static_cast<double>(values.data[t * values.step + r * values.row]);
    }
  return all;
}
// gradient[t, r] = share at each position up to each row's length; 0 elsewhere
template <class T>
void positions_gradient(reference, int steps, int rows, const int* lengths, T share,
                        const operand<T>& gradient) {
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < steps; ++t)
      gradient.data[t * gradient.step + r * gradient.row] =
          t < detail::end_of(lengths, r, steps) ? share : T(0);
}

}  // namespace tenon::inline v0_1::backend
