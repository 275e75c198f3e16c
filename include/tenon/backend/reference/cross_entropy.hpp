// Cross-entropy of logits [rows, C] against class targets, with its gradient in the same pass.
#pragma once

#include "tenon/backend/reference/tag.hpp"
#include "tenon/meta/rounding.hpp"

#include <cmath>
#include <cstddef>

namespace tenon::inline v0_1::backend {

// Returns sum_r -log softmax(logits[r])[targets[r]] over the rows with a target >= 0; gradient[r, :] = scale
// (softmax - onehot), 0 for the other rows. Computed in double for every T, as log(1 + sum of the other classes'
// exp relative to the largest). The fast backends compute the same numbers in another way.
template <int C, class T>
double sum_cross_entropy(reference, int rows, const T* logits, std::ptrdiff_t stride, const int* targets,
                         T scale, T* gradient) {
  double loss = 0;
  for (int r = 0; r < rows; ++r) {
    const T* x = logits + r * stride;
    T* g = gradient + std::ptrdiff_t(r) * C;
    int best = 0;
    for (int c = 1; c < C; ++c) best = x[c] > x[best] ? c : best;
    const auto below_best = [&](int c) {
      return ir::rounded_here(static_cast<double>(x[best]) - static_cast<double>(x[c]));
    };
    double others = 0;  // exp(x[c] - x[best]), summed over all other classes
    for (int c = 0; c < C; ++c) others += c == best ? 0 : std::exp(-below_best(c));
    for (int c = 0; c < C; ++c) {
      const double p = std::exp(-below_best(c)) / (1 + others);
      g[c] = targets[r] < 0 ? T(0) : static_cast<T>(static_cast<double>(scale) * (p - (c == targets[r])));
    }
    if (targets[r] >= 0) loss += std::log1p(others) + below_best(targets[r]);
  }
  return loss;
}

}  // namespace tenon::inline v0_1::backend
