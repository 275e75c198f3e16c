// exp, sigmoid, tanh and erf of a vector; log, log1p, sin and cos are xsimd's or the C library's. A NaN stays a NaN, infinities
// give the limits. tests/backend/cpu/math.cpp lists the errors, in units in the last place.
#pragma once

#include "tenon/backend/cpu/simd.hpp"
#include "tenon/meta/nonblocking.hpp"
#include "tenon/meta/rounding.hpp"
#include "tenon/program/kernel.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd {

namespace detail {

// Q(r) = (exp(r) - 1 - r) / r^2 on |r| <= ln(2) / 2, lowest power first: off by 2^-26 (2^-55) of exp(r) - 1.
// Fitted by Lawson's iteration: the coefficients were rounded one after the other, and the following ones fitted
// again; in float they were then moved by some units, by trial, for the smallest error of tanh.
template <class T>
struct exponential;
template <>
struct exponential<float> {
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;  // high n is exact for whole n
  static constexpr float lowest = -104, highest = 89;  // exp is 0 below, infinite above
  static constexpr float zero = -88.37f;               // sigmoid is 0 below: it would be subnormal
  static constexpr float one = 10;                     // tanh is 1 above
  static constexpr float q[]{0.5f, 0x1.5554b6p-3f, 0x1.5554c6p-5f, 0x1.1226b2p-7f, 0x1.6d718ep-10f};
};
template <>
struct exponential<double> {
  static constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr double lowest = -746, highest = 710;
  static constexpr double zero = -709.43;
  static constexpr double one = 20;
  static constexpr double q[]{0.5,
                              0x1.555555555555ap-3,
                              0x1.5555555553acdp-5,
                              0x1.111111110ef1ap-7,
                              0x1.6c16c17a15eeap-10,
                              0x1.a01a01b354ca6p-13,
                              0x1.a019b34d04702p-16,
                              0x1.71ddef161fd19p-19,
                              0x1.2897baea701b3p-22,
                              0x1.af6f64f7ecfecp-26};
};

// x^N, N a power of two
template <int N, any_vector V>
TENON_ALWAYS_INLINE inline V power_of(V x) {
  if constexpr (N == 1) return x;
  else {
    const V root = power_of<N / 2>(x);
    return root * root;
  }
}
// c[First] + c[First + 1] x + ..., Count coefficients, in halves that are computed independently (Estrin's
// scheme)
template <int First, int Count, any_vector V, class T, int N>
TENON_ALWAYS_INLINE inline V polynomial(V x, const T (&c)[N]) {
  if constexpr (Count == 1) return V(c[First]);
  else {
    constexpr int half = static_cast<int>(std::bit_floor(static_cast<unsigned>(Count) / 2));
    const V high = polynomial<First + half, Count - half>(x, c);
    return fma(power_of<half>(x), high, polynomial<First, half>(x, c));
  }
}
template <any_vector V, class T, int N>
TENON_ALWAYS_INLINE inline V polynomial(V x, const T (&c)[N]) {
  return polynomial<0, N>(x, c);
}

// n and r of Factor x = n ln(2) + r, |r| <= ln(2) / 2
template <int Factor, any_vector V>
TENON_ALWAYS_INLINE inline whole_number<V> halvings(V x) {
  return {x, V(Factor * std::numbers::log2e)};
}
template <int Factor, any_vector V>
TENON_ALWAYS_INLINE inline V remainder(V x, V n, number_of<V> low = exponential<number_of<V>>::ln2_low) {
  using T = number_of<V>;
  return fnma(n, V(low), rounded_here(fnma(n, V(exponential<T>::ln2_high), x * V(Factor))));
}
// For small |n|, the number nearest to ln(2) is precise enough: it is off by 2^-29 (2^-55).
template <int Factor, any_vector V>
TENON_ALWAYS_INLINE inline V remainder_of_small(V x, V n) {
  using T = number_of<V>;
  constexpr T ln2 = T(std::numbers::ln2);
  if constexpr (rounds_fma_once) return fnma(n, V(ln2), x * V(Factor));
  else return remainder<Factor>(x, n, ln2 - exponential<T>::ln2_high);
}

// exp(r) - 1 + (first - r)
template <any_vector V>
TENON_ALWAYS_INLINE inline V exp_less_1(V r, V first) {
  return fma(r * r, polynomial(r, exponential<number_of<V>>::q), first);
}

}  // namespace detail

template <any_vector V>
TENON_ALWAYS_INLINE inline V exp(V x) {
  using with = detail::exponential<number_of<V>>;
  x = at_least(at_most(x, with::highest), with::lowest);
  const V n = detail::halvings<1>(x).value(), r = detail::remainder<1>(x, n);
  return scale(V(1) + detail::exp_less_1(r, r), n);
}

// 1 / (1 + exp(-x)), with the sum 1 + 2^n + 2^n (exp(r) - 1) rounded once; where 2^n absorbs the 1, the 1 is added
// to r as 2^-n
template <any_vector V>
TENON_ALWAYS_INLINE inline V sigmoid(V x) {
  using with = detail::exponential<number_of<V>>;
  const V one(1), limited = at_most(x, -with::zero);
  const auto n = detail::halvings<-1>(limited);
  const V r = detail::remainder<-1>(limited, n.value()), power = n.power(), sum = one + power;
  const V first = select(sum == power, r + n.inverse_power(), r);
  const V y = one / fma(power, detail::exp_less_1(r, first), sum);
  return select(x < V(with::zero), V(0), y);
}

// (1 - e) / (1 + e) with the sign of x, where e = 2^n + 2^n (exp(r) - 1) = exp(-2|x|): sum and difference are each
// rounded once, and the difference loses no digits near 0.
template <any_vector V>
TENON_ALWAYS_INLINE inline V tanh(V x) {
  const V one(1), limited = at_most(abs(x), detail::exponential<number_of<V>>::one);
  const auto n = detail::halvings<-2>(limited);
  const V r = detail::remainder_of_small<-2>(limited, n.value());
  const V power = n.power(), rest = detail::exp_less_1(r, r);
  return with_sign(fnma(power, rest, one - power) / fma(power, rest, one + power), x);
}

// tanh as x P(x^2) / Q(x^2), the quotient of degree 4 / 4 with the smallest relative error up to 9.02, 2^-25.5,
// found by Lawson's iteration. From 8.18 on it is constant, because rounding would carry it past 1.
template <any_vector V>
TENON_ALWAYS_INLINE inline V fast_tanh(V x) {
  const V a = at_least(at_most(x, V(8.18f)), V(-8.18f)), z = a * a, z2 = z * z;
  const auto polynomial = [&](float c0, float c1, float c2, float c3, float c4) TENON_ALWAYS_INLINE {
    return fma(z2, fma(z2, V(c4), fma(V(c3), z, V(c2))), fma(V(c1), z, V(c0)));
  };
  const V p = polynomial(1, 0x1.12042ap-3f, 0x1.c9f7aap-9f, 0x1.5953f4p-16f, 0x1.c99fdap-27f);
  const V q = polynomial(1, 0x1.de575ep-2f, 0x1.a7ded2p-6f, 0x1.5840f6p-12f, 0x1.a0b5d2p-21f);
  return a * p / q;
}

// The faster versions of an equation's functions.
template <opcode Code>
struct fast_primitive : primitive<Code> {};
template <>
struct fast_primitive<opcode::tanh> : primitive<opcode::tanh> {
  template <any_vector V>
  static TENON_ALWAYS_INLINE V value(V x) {
    return fast_tanh(x);
  }
};
template <>
struct fast_primitive<opcode::sigmoid> : primitive<opcode::sigmoid> {
  template <any_vector V>
  static TENON_ALWAYS_INLINE V value(V x) {
    return fma(V(0.5f), fast_tanh(V(0.5f) * x), V(0.5f));
  }
};

#if defined(__FAST_MATH__) || defined(TENON_PORTABLE) || defined(TENON_COMPILER_VECTORS)
// The C library's functions, lane by lane: xsimd's sums would be taken apart by -ffast-math, and are fused where a processor can.
namespace detail {
template <any_vector V, class F>
inline V of_each_lane(V x, F f) {
  number_of<V> lanes[V::size];
  x.store(lanes);
  for (number_of<V>& a : lanes)  // one by one: the vector functions that g++ knows are less exact
    if constexpr (is_portable) a = static_cast<number_of<V>>(f(static_cast<double>(a)));
    else a = f(static_cast<number_of<V>>(ir::rounded_here(static_cast<double>(a))));
  return V::load(lanes);
}
}  // namespace detail
template <any_vector V>
inline V log(V x) TENON_NONBLOCKING {
  TENON_OTHERS_ARITHMETIC(return detail::of_each_lane(x, [](auto a) { return std::log(a); });)
}
template <any_vector V>
inline V log1p(V x) TENON_NONBLOCKING {
  TENON_OTHERS_ARITHMETIC(return detail::of_each_lane(x, [](auto a) { return std::log1p(a); });)
}
template <any_vector V>
inline V sin(V x) TENON_NONBLOCKING {
  TENON_OTHERS_ARITHMETIC(return detail::of_each_lane(x, [](auto a) { return std::sin(a); });)
}
template <any_vector V>
inline V cos(V x) TENON_NONBLOCKING {
  TENON_OTHERS_ARITHMETIC(return detail::of_each_lane(x, [](auto a) { return std::cos(a); });)
}
#else
namespace detail {
inline constexpr auto log_of = [](auto a) { return xsimd::log(a); };
}  // namespace detail
template <any_vector V>
inline V log(V x) {
  if constexpr (sizeof(number_of<V>) == 4) return through_registers(x.raw, detail::log_of);
  else {  // xsimd 8.1 gets the exponent of subnormal doubles wrong
    const typename V::mask small = x < V(std::numeric_limits<number_of<V>>::min());
    const V log_of_normal = through_registers(select(small, x * V(0x1p54), x).raw, detail::log_of);
    return log_of_normal - select(small, V(54 * std::numbers::ln2), V(0));
  }
}
template <any_vector V>
inline V log1p(V x) {
  return through_registers(x.raw, [](auto a) { return xsimd::log1p(a); });
}
template <any_vector V>
inline V sin(V x) TENON_NONBLOCKING {
  TENON_OTHERS_ARITHMETIC(return through_registers(x.raw, [](auto a) { return xsimd::sin(a); });)
}
template <any_vector V>
inline V cos(V x) TENON_NONBLOCKING {
  TENON_OTHERS_ARITHMETIC(return through_registers(x.raw, [](auto a) { return xsimd::cos(a); });)
}
#endif

namespace detail {
// near(x^2) = erf(x) / x - 1 up to 1, far((x - centre) / (x + centre)) = exp(x^2) (1 - erf(x)) from there to
// `end`, where erf is 1; lowest powers first. Fitted by Lawson's iteration for the smallest error of erf,
// 2^-29 (2^-56) of it.
template <class T>
struct error_function;
template <>
struct error_function<float> {
  static constexpr float end = 4, centre = 2.5;
  static constexpr float near[]{0x1.06eba8p-3f, -0x1.81273ep-2f,  0x1.ce2cf2p-4f, -0x1.b7f88cp-6f,
                                0x1.54017p-8f,  -0x1.a3d7ecp-11f, 0x1.4916f2p-14f};
  static constexpr float far[]{0x1.afbae2p-3f, -0x1.7cabc2p-2f, 0x1.01b51p-2f, -0x1.ff5094p-4f,
                               0x1.5560e4p-5f};
};
template <>
struct error_function<double> {
  static constexpr double end = 6, centre = 4;
  static constexpr double near[]{0x1.06eba8214db68p-3,   -0x1.812746b0379b2p-2,  0x1.ce2f21a0408d6p-4,
                                 -0x1.b82ce311ee1fap-6,  0x1.565bccf7e4fe4p-8,   -0x1.c02db014ec885p-11,
                                 0x1.f9a2b75b43e99p-14,  -0x1.f4ca209932415p-17, 0x1.b97e46985454bp-20,
                                 -0x1.5bfe8290c541ep-23, 0x1.d6e424b5bf065p-27,  -0x1.ab1673f31be53p-31};
  static constexpr double far[]{0x1.18932bf0bed4p-3,    -0x1.0949226e5a408p-2, 0x1.bff01b469a8a4p-3,
                                -0x1.50665b48db304p-3,  0x1.be50ef7540ed6p-4,  -0x1.0278f42b9879bp-4,
                                0x1.008ad4873d0ap-5,    -0x1.a33419f01b2adp-7, 0x1.11464e2df8c34p-8,
                                -0x1.4a4420e5c2713p-11, 0x1.4e1d86ac0b6ecp-13, 0x1.ab25b47de5321p-13,
                                0x1.7f3ab6613599bp-16};
};
}  // namespace detail

template <any_vector V>
TENON_ALWAYS_INLINE inline V erf(V x) {
  using with = detail::error_function<number_of<V>>;
  const V a = at_most(abs(x), with::end), one(1), square = a * a;
  const V near = fma(a, detail::polynomial(square, with::near), a);
  const V t = (a - V(with::centre)) / (a + V(with::centre));
  const V far = fnma(exp(-square), detail::polynomial(t, with::far), one);
  return with_sign(select(a < one, near, far), x);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd
