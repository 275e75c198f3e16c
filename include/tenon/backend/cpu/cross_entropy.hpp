// Cross-entropy of logits [rows, C] against class targets, with its gradient in the same pass.
#pragma once

#include "tenon/backend/cpu/math.hpp"
#include "tenon/backend/cpu/tag.hpp"
#include "tenon/meta/rounding.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

namespace detail {
// The largest of C numbers, with several vectors at once, because a single chain of comparisons would wait for itself.
template <int C, class T>
T highest_of(const T* x) {
  using V = simd::vector<T>;
  constexpr int together = 4, block = together * V::size, full = C / block * block;
  constexpr T least = -std::numeric_limits<T>::infinity();
  V top[together];
  repeat<together>([&](auto v) { top[v] = V(least); });
  for (int c = 0; c < full; c += block)
    repeat<together>([&](auto v) { top[v] = at_least(V::load(x + c + v * V::size), top[v]); });
  simd::for_vectors<C - full, T>(
      [&](int c, auto lanes) { top[0] = at_least(lanes.keep(lanes.load(x + full + c), least), top[0]); });
  return highest(at_least(at_least(top[0], top[1]), at_least(top[2], top[3])));
}
}  // namespace detail

// Returns sum_r -log softmax(logits[r])[targets[r]] over the rows with a target >= 0; gradient[r, :] = scale
// (softmax - onehot), 0 for the other rows. The sum is double, so that a float's rounding does not add up over
// a million rows. The two logits, which may be large, are subtracted first.
template <int C, class T>
double sum_cross_entropy(cpu, int rows, const T* logits, std::ptrdiff_t stride, const int* targets, T scale,
                         T* gradient) {
  using V = simd::vector<T>;
  double loss = 0;
  for (int r = 0; r < rows; ++r) {
    const T* x = logits + r * stride;
    T* g = gradient + std::ptrdiff_t(r) * C;
    if (targets[r] < 0) {
      simd::for_vectors<C, T>([&](int c, auto lanes) { lanes.store(g + c, V(0)); });
      continue;
    }
    const T largest = detail::highest_of<C>(x);
    V sums(0);
    simd::for_vectors<C, T>([&](int c, auto lanes) {
      const V e = exp(lanes.load(x + c) - V(largest));
      sums = sums + lanes.keep(e, T(0));
      lanes.store(g + c, e);
    });
    const T total = sum(sums);
    loss += std::log(static_cast<double>(total)) +
            ir::rounded_here(static_cast<double>(largest) - static_cast<double>(x[targets[r]]));
    const V share(scale / total);
    simd::for_vectors<C, T>([&](int c, auto lanes) { lanes.store(g + c, lanes.load(g + c) * share); });
    g[targets[r]] -= scale;
  }
  return loss;
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
