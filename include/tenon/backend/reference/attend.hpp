// Attention over time: softmax of scores [steps, rows] up to each row's length, and the weighted sum of
// values [steps, rows, D]. A row of length 0 has weights and a sum of zero.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/reference/tag.hpp"

#include <cmath>
#include <cstddef>

namespace tenon::backend {

// weights[t, r] = exp(scores[t, r] - m_r) / sum_{t < lengths[r]} exp(...), 0 from lengths[r] on
template <class T>
void time_softmax(reference, int steps, int rows, const int* lengths, const T* scores, T* weights) {
  using std::exp;
  for (int r = 0; r < rows; ++r) {
    const int end = lengths[r] < steps ? lengths[r] : steps;
    T highest = end > 0 ? scores[r] : T(0), total = 0;
    for (int t = 1; t < end; ++t) highest = scores[t * rows + r] > highest ? scores[t * rows + r] : highest;
    for (int t = 0; t < end; ++t) total += weights[t * rows + r] = exp(scores[t * rows + r] - highest);
    for (int t = 0; t < end; ++t) weights[t * rows + r] /= total;
    for (int t = end; t < steps; ++t) weights[t * rows + r] = T(0);
  }
}
// out[r, :] = sum_t weights[t, r] values[t, r, :]
template <int D, class T>
void weighted_sum(reference, int steps, int rows, const T* weights, const operand<const T>& values, T* out,
                  std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < D; ++j) {
      T sum = 0;
      for (int t = 0; t < steps; ++t)
        sum += weights[t * rows + r] * values.data[t * values.step + r * values.row + j];
      out[r * out_stride + j] = sum;
    }
}

}  // namespace tenon::backend
