// What a careful author of hand-written kernels would use: xsimd's vectors, exp, sigmoid and tanh.
#pragma once

#include <xsimd/xsimd.hpp>

#include <type_traits>
#include <utility>

namespace bench {

using lanes = xsimd::batch<float>;
inline constexpr int width = static_cast<int>(lanes::size);
// The vector width for a layer of N units: half of AVX-512's if that holds all units, so that no vector is half empty.
template <int N>
inline constexpr int width_of = N <= 8 && width == 16 ? 8 : width;
template <int N>
using lanes_of = xsimd::make_sized_batch_t<float, width_of<N>>;
// Calls f(0), ..., f(Count - 1), unrolled, so that arrays indexed by the number stay in registers.
template <int Count, class F>
[[gnu::always_inline]] inline void unrolled(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, Count>{});
}
template <int N>
inline constexpr int tiles_of = (N + width_of<N> - 1) / width_of<N>;

template <class Lanes>
[[gnu::always_inline]] inline Lanes exp_of(Lanes x) {
  x = xsimd::min(xsimd::max(x, Lanes(-87.f)), Lanes(88.f));
  const Lanes n = xsimd::nearbyint(x * Lanes(1.44269504f));
  const Lanes r = xsimd::fnma(n, Lanes(-2.12194440e-4f), xsimd::fnma(n, Lanes(0.693359375f), x));
  Lanes p(1.9875691500e-4f);
  p = xsimd::fma(p, r, Lanes(1.3981999507e-3f));
  p = xsimd::fma(p, r, Lanes(8.3334519073e-3f));
  p = xsimd::fma(p, r, Lanes(4.1665795894e-2f));
  p = xsimd::fma(p, r, Lanes(1.6666665459e-1f));
  p = xsimd::fma(p, r, Lanes(5.0000001201e-1f));
  p = xsimd::fma(p * r, r, r) + Lanes(1.f);
  using whole_numbers = xsimd::batch<int, typename Lanes::arch_type>;
  const auto bits =
      xsimd::bitwise_cast<whole_numbers>(n + Lanes(12582912.f + 127.f));  // n + bias in the low bits
  return p * xsimd::bitwise_cast<Lanes>(bits << 23);
}
template <class Lanes>
[[gnu::always_inline]] inline Lanes sigmoid_of(Lanes x) {
  return Lanes(1.f) / (Lanes(1.f) + exp_of(-x));
}
template <class Lanes>
[[gnu::always_inline]] inline Lanes tanh_of(Lanes x) {
  const Lanes e = exp_of(Lanes(-2.f) * x);
  return (Lanes(1.f) - e) / (Lanes(1.f) + e);
}

}  // namespace bench
