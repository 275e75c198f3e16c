// exp and tanh of a vector<T>, the functions that gates are made of; log, log1p and erf are xsimd's.
// Not-a-number stays so, infinities give the limits. tests/backend/cpu/math.cpp holds the errors, in units of
// the last place.
#pragma once

#include "tenon/backend/cpu/simd.hpp"
#include "tenon/equation/primitive.hpp"

#include <bit>
#include <numbers>

namespace tenon::backend::simd {

namespace detail {

// Q(r) = (exp(r) - 1 - r) / r^2 on |r| <= ln(2) / 2, lowest power first, fitted by Lawson's iteration: off by 2^-26
// (2^-55) of exp(r) - 1. The coefficients are rounded one after the other, and those that follow fitted again.
template <class T>
struct exponential;
template <>
struct exponential<float> {
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;  // high n is exact for whole n
  static constexpr float lowest = -104, highest = 89;  // exp is 0 below, infinite above
  static constexpr float one = 10;                     // tanh is 1 above
  static constexpr float q[]{0.5f, 0x1.5554b2p-3f, 0x1.5554c8p-5f, 0x1.12268p-7f, 0x1.6d7228p-10f};
};
template <>
struct exponential<double> {
  static constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr double lowest = -746, highest = 710;
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

// c[First] + c[First + 1] x + ... of Count coefficients, in halves that do not wait for each other (Estrin's
// scheme).
template <int First, int Count, class T, int N>
TENON_ALWAYS_INLINE inline vector<T> polynomial(vector<T> x, const T (&c)[N]) {
  if constexpr (Count == 1) return vector<T>(c[First]);
  else {
    constexpr int half = static_cast<int>(std::bit_floor(static_cast<unsigned>(Count) / 2));
    vector<T> power = x;
    repeat<std::countr_zero(static_cast<unsigned>(half))>([&](auto)
                                                              TENON_ALWAYS_INLINE { power = power * power; });
    return fma(power, polynomial<First + half, Count - half>(x, c), polynomial<First, half>(x, c));
  }
}
template <class T, int N>
TENON_ALWAYS_INLINE inline vector<T> polynomial(vector<T> x, const T (&c)[N]) {
  return polynomial<0, N>(x, c);
}

// Factor x = n ln(2) + r, |r| <= ln(2) / 2. Where |n| is small, as in tanh, the number next to ln(2) will do: it is
// off by 2^-29 (2^-55).
template <class T>
struct reduced {
  whole_number<T> n;
  vector<T> r;
};
template <int Factor, bool Small = false, class T>
TENON_ALWAYS_INLINE inline reduced<T> reduce(vector<T> x) {
  using with = exponential<T>;
  const whole_number<T> whole(x, vector<T>(Factor * std::numbers::log2e));
  const vector<T> n = whole.value(), all = x * vector<T>(Factor);
  if constexpr (Small && rounds_fma_once) return {whole, fnma(n, vector<T>(std::numbers::ln2), all)};
  else return {whole, fnma(n, vector<T>(with::ln2_low), fnma(n, vector<T>(with::ln2_high), all))};
}

// exp(r) - 1 + (first - r)
template <class T>
TENON_ALWAYS_INLINE inline vector<T> exp_less_1(vector<T> r, vector<T> first) {
  return fma(r * r, polynomial(r, exponential<T>::q), first);
}

}  // namespace detail

template <class T>
TENON_ALWAYS_INLINE inline vector<T> exp(vector<T> x) {
  using with = detail::exponential<T>;
  const auto [n, r] = detail::reduce<1>(at_least(at_most(x, with::highest), with::lowest));
  return scale(vector<T>(1) + detail::exp_less_1(r, r), n.value());
}

// 1 / (1 + exp(-x)), the sum 1 + 2^n + 2^n (exp(r) - 1) rounded once; 0 from n = 128 (1024) on. Where 1 is lost
// in 1 + 2^n, 2^-n joins r.
template <class T>
TENON_ALWAYS_INLINE inline vector<T> sigmoid(vector<T> x) {
  using with = detail::exponential<T>;
  const vector<T> one(1), half(0.5);
  const auto [n, r] = detail::reduce<-1>(at_least(at_most(x, with::highest - 1), -with::highest));
  const vector<T> power = n.power(), sum = one + power;
  const vector<T> first = select(sum == power, fma(n.twice_inverse_power(), half, r), r);
  return one / fma(power, detail::exp_less_1(r, first), sum);
}

// (1 - e) / (1 + e) with e = 2^n + 2^n (exp(r) - 1) = exp(-2|x|): sum and difference are rounded once, the
// difference loses no digits near 0. The sign of x.
template <class T>
TENON_ALWAYS_INLINE inline vector<T> tanh(vector<T> x) {
  const vector<T> one(1);
  const auto [n, r] = detail::reduce<-2, true>(at_most(abs(x), detail::exponential<T>::one));
  const vector<T> power = n.power(), rest = detail::exp_less_1(r, r);
  return with_sign(fnma(power, rest, one - power) / fma(power, rest, one + power), x);
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
