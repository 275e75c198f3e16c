// Means of one number at each position: rows, or the steps of sequences up to their lengths.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/reference/axis.hpp"
#include "tenon/backend/reference/tag.hpp"

namespace tenon::backend {

struct positions_sum {
  double sum = 0, weight = 0;
};

// Over all rows r and steps t < lengths[r]: the sum of weights[t, r] values[t, r], and of the weights alone. No weights:
// each is 1. In double, so that a float's rounding does not add up over a million positions.
template <class T>
positions_sum sum_positions(reference, int steps, int rows, const int* lengths,
                            const operand<const T>& values, const operand<const T>& weights) {
  positions_sum all;
  for (int r = 0; r < rows; ++r)
    for (int t = 0, end = detail::end_of(lengths, r, steps); t < end; ++t) {
      const double weight =
          weights.data == nullptr ? 1 : static_cast<double>(weights.data[t * weights.step + r * weights.row]);
      all.weight += weight;
      if (weight != 0) all.sum += weight * static_cast<double>(values.data[t * values.step + r * values.row]);
    }
  return all;
}
// gradient[t, r] = share weights[t, r] up to each row's length, and 0 behind it
template <class T>
void share_positions(reference, int steps, int rows, const int* lengths, T share,
                     const operand<const T>& weights, const operand<T>& gradient) {
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < steps; ++t) {
      const bool is_there = t < detail::end_of(lengths, r, steps);
      const T weight = weights.data == nullptr ? T(1)
                       : is_there              ? weights.data[t * weights.step + r * weights.row]
                                               : T(0);
      gradient.data[t * gradient.step + r * gradient.row] = is_there ? share * weight : T(0);
    }
}

}  // namespace tenon::backend
