// Cross-entropy of logits [rows, C] against class targets, with its gradient in the same pass.
#pragma once

#include "tenon/backend/reference/tag.hpp"

#include <cmath>
#include <cstddef>

namespace tenon::backend {

// Returns sum_r -log softmax(logits[r])[targets[r]] over the rows with a target >= 0; gradient[r, :] = scale
// (softmax - onehot), 0 for the other rows.
template <int C, class T>
T cross_entropy(reference, int rows, const T* logits, std::ptrdiff_t stride, const int* targets, T scale,
                T* gradient) {
  using std::exp, std::log;
  T loss = 0;
  for (int r = 0; r < rows; ++r) {
    const T* x = logits + r * stride;
    T* g = gradient + std::ptrdiff_t(r) * C;
    if (targets[r] < 0) {
      for (int c = 0; c < C; ++c) g[c] = T(0);
      continue;
    }
    T highest = x[0], total = 0;
    for (int c = 1; c < C; ++c) highest = x[c] > highest ? x[c] : highest;
    for (int c = 0; c < C; ++c) total += g[c] = exp(x[c] - highest);
    loss += log(total) + highest - x[targets[r]];
    for (int c = 0; c < C; ++c) g[c] *= scale / total;
    g[targets[r]] -= scale;
  }
  return loss;
}

}  // namespace tenon::backend
