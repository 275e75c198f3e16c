// exp and tanh of a vector<T>, the functions that gates are made of; log, log1p and erf are xsimd's.
// Not-a-number stays so, infinities give the limits. tests/backend/cpu/math.cpp holds the errors, in units of
// the last place.
#pragma once

#include "tenon/backend/cpu/simd.hpp"
#include "tenon/equation/primitive.hpp"

namespace tenon::backend::simd {

namespace detail {

// Q(r) = (exp(r) - 1 - r) / r^2 on |r| <= ln(2) / 2, interpolated at Chebyshev's points: 2^-24 (2^-54) of
// exp(r) - 1.
template <class T>
struct exponential;
template <>
struct exponential<float> {
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;  // high n is exact for whole n
  static constexpr float lowest = -104, highest = 89;  // exp is 0 below, infinite above
  static constexpr float one = 10;                     // tanh is 1 above
  static constexpr float q[]{0x1.6d117cp-10f, 0x1.120be2p-7f, 0x1.555518p-5f, 0x1.5554dcp-3f, 0.5f};
};
template <>
struct exponential<double> {
  static constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr double lowest = -746, highest = 710;
  static constexpr double one = 20;
  static constexpr double q[]{0x1.af390ba7e6f47p-26, 0x1.2891d4ffbb0f9p-22, 0x1.71de0d85293b8p-19,
                              0x1.a019b8ca26fcfp-16, 0x1.a01a01a7cebcdp-13, 0x1.6c16c1789d1d7p-10,
                              0x1.11111111109a6p-7,  0x1.5555555553d37p-5,  0x1.5555555555556p-3,
                              0x1.0000000000001p-1};
};

// exp(x) = 2^exponent (1 + rest), |rest| < 0.42
template <class T>
struct split_exponential {
  vector<T> exponent, rest;
};

template <class T>
TENON_ALWAYS_INLINE inline split_exponential<T> split_exp(vector<T> x) {
  using with = exponential<T>;
  const vector<T> n = round(x * vector<T>(T(1.4426950408889634)));
  const vector<T> r = fma(n, vector<T>(-with::ln2_low), fma(n, vector<T>(-with::ln2_high), x));
  vector<T> q(with::q[0]);
  repeat<static_cast<int>(std::size(with::q)) - 1>(
      [&](auto i) TENON_ALWAYS_INLINE { q = fma(q, r, vector<T>(with::q[i + 1])); });
  return {n, fma(r * r, q, r)};
}

}  // namespace detail

template <class T>
TENON_ALWAYS_INLINE inline vector<T> exp(vector<T> x) {
  using with = detail::exponential<T>;
  const auto [exponent, rest] = detail::split_exp(at_least(at_most(x, with::highest), with::lowest));
  return scale(vector<T>(1) + rest, exponent);
}

// tanh(x) = m / (m + 2) with m = exp(2|x|) - 1, which loses no digits near 0; the sign of x
template <class T>
TENON_ALWAYS_INLINE inline vector<T> tanh(vector<T> x) {
  constexpr T one = detail::exponential<T>::one;
  const vector<T> a = at_most(abs(x), one);
  const auto [exponent, rest] = detail::split_exp(a + a);
  const vector<T> power = power_of_two(exponent), m = fma(power, rest, power - vector<T>(1));
  return copysign(m / (m + vector<T>(2)), x);
}

// tanh as x P(x^2) / Q(x^2), the quotient of degree 4 / 4 with the smallest relative error up to 9.02, 2^-25.5,
// found by Lawson's iteration. From 8.18 on it stays where it is, before rounding would carry it past 1.
TENON_ALWAYS_INLINE inline vector<float> fast_tanh(vector<float> x) {
  using V = vector<float>;
  const V a = at_least(at_most(x, V(8.18f)), V(-8.18f)), z = a * a, z2 = z * z;
  const auto polynomial = [&](float c0, float c1, float c2, float c3, float c4) TENON_ALWAYS_INLINE {
    return fma(z2, fma(z2, V(c4), fma(V(c3), z, V(c2))), fma(V(c1), z, V(c0)));
  };
  const V p = polynomial(1, 0x1.12042ap-3f, 0x1.c9f7aap-9f, 0x1.5953f4p-16f, 0x1.c99fdap-27f);
  const V q = polynomial(1, 0x1.de575ep-2f, 0x1.a7ded2p-6f, 0x1.5840f6p-12f, 0x1.a0b5d2p-21f);
  return a * p / q;
}

// The functions of an equation in the faster way.
template <op Code>
struct fast_primitive : primitive<Code> {};
template <>
struct fast_primitive<op::tanh> : primitive<op::tanh> {
  static TENON_ALWAYS_INLINE vector<float> value(vector<float> x) { return fast_tanh(x); }
};
template <>
struct fast_primitive<op::sigmoid> : primitive<op::sigmoid> {
  static TENON_ALWAYS_INLINE vector<float> value(vector<float> x) {
    return fma(vector<float>(0.5f), fast_tanh(vector<float>(0.5f) * x), vector<float>(0.5f));
  }
};

template <class T>
inline vector<T> log(vector<T> x) {
  return xsimd::log(x.raw);
}
template <class T>
inline vector<T> log1p(vector<T> x) {
  return xsimd::log1p(x.raw);
}
template <class T>
inline vector<T> erf(vector<T> x) {  // 1 from 6 on; far beyond it, xsimd's double is not a number
  return xsimd::erf(at_least(at_most(x, vector<T>(10)), vector<T>(-10)).raw);
}

}  // namespace tenon::backend::simd
