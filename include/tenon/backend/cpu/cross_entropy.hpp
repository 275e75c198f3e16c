// Cross-entropy of logits [rows, C] against class targets, with its gradient in the same pass.
#pragma once

#include "tenon/backend/cpu/math.hpp"
#include "tenon/backend/cpu/tag.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace tenon::backend {

// Returns sum_r -log softmax(logits[r])[targets[r]] over the rows with a target >= 0; gradient[r, :] =
// softmax - onehot, 0 for the other rows.
template <int C, class T>
T cross_entropy(cpu, int rows, const T* logits, std::ptrdiff_t stride, const int* targets, T* gradient) {
  using V = simd::vector<T>;
  T loss = 0;
  for (int r = 0; r < rows; ++r) {
    const T* x = logits + r * stride;
    T* g = gradient + std::ptrdiff_t(r) * C;
    if (targets[r] < 0) {
      simd::for_vectors<C, T>([&](int c, auto lanes) { lanes.store(g + c, V(0)); });
      continue;
    }
    V top(-std::numeric_limits<T>::infinity()), sums(0);
    simd::for_vectors<C, T>([&](int c, auto lanes) {
      const V logit = lanes.keep(lanes.load(x + c), -std::numeric_limits<T>::infinity());
      top = select(top < logit, logit, top);
    });
    const T largest = highest(top);
    simd::for_vectors<C, T>([&](int c, auto lanes) {
      const V e = exp(lanes.load(x + c) - V(largest));
      sums = sums + lanes.keep(e, T(0));
      lanes.store(g + c, e);
    });
    const T total = sum(sums);
    loss += std::log(total) + largest - x[targets[r]];
    simd::for_vectors<C, T>([&](int c, auto lanes) { lanes.store(g + c, lanes.load(g + c) / V(total)); });
    g[targets[r]] -= T(1);
  }
  return loss;
}

}  // namespace tenon::backend
