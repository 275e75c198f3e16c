// What a careful author of hand-written kernels brings along: xsimd's vectors, exp, sigmoid and tanh.
#pragma once

#include <xsimd/xsimd.hpp>

#include <type_traits>
#include <utility>

namespace bench {

using lanes = xsimd::batch<float>;
inline constexpr int width = static_cast<int>(lanes::size);
// f(0), ..., f(Count - 1), written out: arrays indexed by it stay in registers.
template <int Count, class F>
[[gnu::always_inline]] inline void unrolled(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, Count>{});
}
inline constexpr int tiles_of(int n) { return (n + width - 1) / width; }

[[gnu::always_inline]] inline lanes exp_of(lanes x) {
  x = xsimd::min(xsimd::max(x, lanes(-87.f)), lanes(88.f));
  const lanes n = xsimd::nearbyint(x * lanes(1.44269504f));
  const lanes r = xsimd::fnma(n, lanes(-2.12194440e-4f), xsimd::fnma(n, lanes(0.693359375f), x));
  lanes p(1.9875691500e-4f);
  p = xsimd::fma(p, r, lanes(1.3981999507e-3f));
  p = xsimd::fma(p, r, lanes(8.3334519073e-3f));
  p = xsimd::fma(p, r, lanes(4.1665795894e-2f));
  p = xsimd::fma(p, r, lanes(1.6666665459e-1f));
  p = xsimd::fma(p, r, lanes(5.0000001201e-1f));
  p = xsimd::fma(p * r, r, r) + lanes(1.f);
  const auto bits =
      xsimd::bitwise_cast<xsimd::batch<int>>(n + lanes(12582912.f + 127.f));  // n + bias in the low bits
  return p * xsimd::bitwise_cast<lanes>(bits << 23);
}
[[gnu::always_inline]] inline lanes sigmoid_of(lanes x) { return lanes(1.f) / (lanes(1.f) + exp_of(-x)); }
[[gnu::always_inline]] inline lanes tanh_of(lanes x) {
  const lanes e = exp_of(lanes(-2.f) * x);
  return (lanes(1.f) - e) / (lanes(1.f) + e);
}

}  // namespace bench
