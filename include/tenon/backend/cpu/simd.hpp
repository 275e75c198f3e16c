// vector<T>: the SIMD register that the CPU backend computes with, and the loads and stores of its first
// lanes alone. The only header that knows xsimd. Whatever the width, lane i computes the same as any other
// lane.
#pragma once

// g++ 12 takes the undefined registers in its own AVX-512 intrinsics for a mistake (its bug 105593, mended in
// 13).
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#  pragma GCC diagnostic push
#  pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#  pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <xsimd/xsimd.hpp>
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#  pragma GCC diagnostic pop
#endif

#include "tenon/meta/host_device.hpp"
#include "tenon/meta/repeat.hpp"

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

namespace tenon::backend::simd {

using tenon::repeat;

#if defined(__AVX512F__)
inline constexpr int registers = 32;  // of the machine
#else
inline constexpr int registers = 16;
#endif

template <class T>
struct mask {
  xsimd::batch_bool<T> raw;
};

template <class T>
struct vector {
  using batch = xsimd::batch<T>;
  using value_type = T;
  static constexpr int size = static_cast<int>(batch::size);

  batch raw;

  vector() = default;
  vector(batch given) : raw(given) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> vector(Number x) : raw(static_cast<T>(x)) {}

  static vector load(const T* from) { return batch::load_unaligned(from); }
  void store(T* to) const { raw.store_unaligned(to); }

  friend vector operator-(vector a) { return a.raw ^ batch(T(-0.0)); }  // xsimd's is 0 - a in AVX-512
  friend vector operator+(vector a, vector b) { return a.raw + b.raw; }
  friend vector operator-(vector a, vector b) { return a.raw - b.raw; }
  friend vector operator*(vector a, vector b) { return a.raw * b.raw; }
  friend vector operator/(vector a, vector b) { return a.raw / b.raw; }
  friend mask<T> operator<(vector a, vector b) { return {a.raw < b.raw}; }
  friend mask<T> operator>(vector a, vector b) { return {a.raw > b.raw}; }
  friend mask<T> operator==(vector a, vector b) { return {a.raw == b.raw}; }
  friend vector select(mask<T> condition, vector yes, vector no) {
    return xsimd::select(condition.raw, yes.raw, no.raw);
  }

  // a b + c, c - a b. In AVX-512 xsimd multiplies and adds, which g++ alone makes one instruction of.
#if defined(__AVX512F__)
  friend vector fma(vector a, vector b, vector c) {
    if constexpr (sizeof(T) == 4) return batch(_mm512_fmadd_ps(a.raw, b.raw, c.raw));
    else return batch(_mm512_fmadd_pd(a.raw, b.raw, c.raw));
  }
  friend vector fnma(vector a, vector b, vector c) {
    if constexpr (sizeof(T) == 4) return batch(_mm512_fnmadd_ps(a.raw, b.raw, c.raw));
    else return batch(_mm512_fnmadd_pd(a.raw, b.raw, c.raw));
  }
#else
  friend vector fma(vector a, vector b, vector c) { return xsimd::fma(a.raw, b.raw, c.raw); }
  friend vector fnma(vector a, vector b, vector c) { return xsimd::fnma(a.raw, b.raw, c.raw); }
#endif
  friend vector abs(vector a) { return xsimd::abs(a.raw); }
  friend vector sqrt(vector a) { return xsimd::sqrt(a.raw); }
  // Not-a-number stays so: x86 returns the second operand, others not-a-number.
  friend vector at_most(vector a, vector limit) { return xsimd::min(limit.raw, a.raw); }
  friend vector at_least(vector a, vector limit) { return xsimd::max(limit.raw, a.raw); }
  // a >= 0 with the sign of another number
  friend vector with_sign(vector a, vector sign) { return xsimd::bitofsign(sign.raw) | a.raw; }
};

// Is a b + c rounded once?
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
inline constexpr bool rounds_fma_once = true;
#else
inline constexpr bool rounds_fma_once = false;
#endif

// The whole number n nearest to a b; from -127 (-1023) to 127 (1023) where powers are asked for.
template <class T>
class whole_number {
  using bits = xsimd::batch<xsimd::as_integer_t<T>>;
  static constexpr bool single = sizeof(T) == 4;
  static constexpr int fraction = single ? 23 : 52, bias = single ? 127 : 1023;
  static constexpr T large =
      single ? T(0x1.8p23 + 127) : T(0x1.8p52 + 1023);  // has n + bias in its lowest bits

 public:
  whole_number(vector<T> a, vector<T> b) : shifted(fma(a, b, vector<T>(large))) {}
  vector<T> value() const { return shifted - vector<T>(large); }
  // 2^n and 2^-n; 0 for the least exponent
  vector<T> power() const { return as_number(power_bits()); }
  vector<T> inverse_power() const {
    return as_number(bits(xsimd::as_integer_t<T>(2 * bias) << fraction) - power_bits());
  }

 private:
  bits power_bits() const { return xsimd::bitwise_cast<bits>(shifted.raw) << fraction; }
  static vector<T> as_number(bits b) { return xsimd::bitwise_cast<xsimd::batch<T>>(b); }
  vector<T> shifted;
};

// a 2^n for whole n; overflows to infinity, underflows gradually. |n| <= 252 (2044) where there is no
// instruction for it.
template <class T>
vector<T> scale(vector<T> a, vector<T> n) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) return xsimd::batch<T>(_mm512_maskz_scalef_ps(0xffff, a.raw, n.raw));
  else return xsimd::batch<T>(_mm512_maskz_scalef_pd(0xff, a.raw, n.raw));
#else
  const whole_number<T> half(n, vector<T>(0.5)), rest(n - half.value(), vector<T>(1));
  return a * half.power() * rest.power();
#endif
}

// a, which now stands in a register: g++ would rather read memory again for each multiply-add that it goes into.
template <class T>
TENON_ALWAYS_INLINE inline vector<T> kept_in_register(vector<T> a) {
#if defined(__SSE2__)
  asm("" : "+v"(a.raw.data));
#endif
  return a;
}

// Of the two bfloat16 numbers in each lane, the lower (0) or the upper (1).
template <int Half>
vector<float> bfloat16_half(vector<float> pair) {
  using bits = xsimd::batch<std::uint32_t>;
  const auto raw = xsimd::bitwise_cast<bits>(pair.raw);
  if constexpr (Half == 0) return xsimd::bitwise_cast<xsimd::batch<float>>(raw << 16);
  else return xsimd::bitwise_cast<xsimd::batch<float>>(raw & bits(0xffff0000u));
}

template <class T>
T sum(vector<T> a) {
  return xsimd::hadd(a.raw);
}
template <class T>
T first(vector<T> a) {  // the number in lane 0
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) return _mm512_cvtss_f32(a.raw);
  else return _mm512_cvtsd_f64(a.raw);
#elif defined(__AVX__)
  if constexpr (sizeof(T) == 4) return _mm256_cvtss_f32(a.raw);
  else return _mm256_cvtsd_f64(a.raw);
#else
  T lanes[vector<T>::size];
  a.store(lanes);
  return lanes[0];
#endif
}
template <class T>
T highest(vector<T> a) {
  T lanes[vector<T>::size];
  a.store(lanes);
  T result = lanes[0];
  for (T x : lanes) result = result < x ? x : result;
  return result;
}

// --- all lanes, or the first of them: the same interface, so that a loop's body can be written once --------

template <class T>
struct whole {
  vector<T> load(const T* from) const { return vector<T>::load(from); }
  void store(T* to, vector<T> a) const { a.store(to); }
  vector<T> keep(vector<T> a, T) const { return a; }
};

// The first `count` lanes, 1 <= count <= size. Memory past them is neither read nor written; the lanes past
// them load as 0.
template <class T>
class part {
  static constexpr int size = vector<T>::size;
  static constexpr bool single = sizeof(T) == 4;

 public:
#if defined(__AVX512F__)
  explicit part(int count) : first_lanes(static_cast<lane_bits>((1u << count) - 1)) {}

  vector<T> load(const T* from) const {
    if constexpr (single) return xsimd::batch<T>(_mm512_maskz_loadu_ps(first_lanes, from));
    else return xsimd::batch<T>(_mm512_maskz_loadu_pd(first_lanes, from));
  }
  void store(T* to, vector<T> a) const {
    if (first_lanes == all_lanes) return a.store(to);  // a load soon after a masked store waits for it
    if constexpr (single) _mm512_mask_storeu_ps(to, first_lanes, a.raw);
    else _mm512_mask_storeu_pd(to, first_lanes, a.raw);
  }
  // a in the first lanes, `other` in the rest
  vector<T> keep(vector<T> a, T other) const {
    if constexpr (single)
      return xsimd::batch<T>(_mm512_mask_mov_ps(vector<T>(other).raw, first_lanes, a.raw));
    else return xsimd::batch<T>(_mm512_mask_mov_pd(vector<T>(other).raw, first_lanes, a.raw));
  }

 private:
  using lane_bits = std::conditional_t<single, __mmask16, __mmask8>;
  static constexpr lane_bits all_lanes = static_cast<lane_bits>((1u << size) - 1);
  lane_bits first_lanes;
#else
  explicit part(int count) : first(count) {
    for (int i = 0; i < size; ++i) lanes[i] = i < count ? T(-1) : T(0);
  }

#  if defined(__AVX__)  // a lane is read or written where its sign bit is set
  vector<T> load(const T* from) const {
    if constexpr (single)
      return xsimd::batch<T>(_mm256_maskload_ps(from, _mm256_castps_si256(vector<T>::load(lanes).raw)));
    else return xsimd::batch<T>(_mm256_maskload_pd(from, _mm256_castpd_si256(vector<T>::load(lanes).raw)));
  }
  void store(T* to, vector<T> a) const {
    if (first == size) return a.store(to);  // many times faster than a masked store
    if constexpr (single) _mm256_maskstore_ps(to, _mm256_castps_si256(vector<T>::load(lanes).raw), a.raw);
    else _mm256_maskstore_pd(to, _mm256_castpd_si256(vector<T>::load(lanes).raw), a.raw);
  }
#  else
  vector<T> load(const T* from) const {
    if (first == size) return vector<T>::load(from);
    T padded[size]{};
    for (int i = 0; i < first; ++i) padded[i] = from[i];
    return vector<T>::load(padded);
  }
  void store(T* to, vector<T> a) const {
    if (first == size) return a.store(to);
    T padded[size];
    a.store(padded);
    for (int i = 0; i < first; ++i) to[i] = padded[i];
  }
#  endif
  vector<T> keep(vector<T> a, T other) const {
    return select(vector<T>::load(lanes) < vector<T>(0), a, vector<T>(other));
  }

 private:
  int first;
  T lanes[size];
#endif
};

// One number in a row of its own: what is loaded stands in all lanes, the first is stored.
template <class T>
struct single {
  vector<T> load(const T* from) const { return vector<T>(*from); }
  void store(T* to, vector<T> a) const { *to = first(a); }
  vector<T> keep(vector<T> a, T other) const { return part<T>(1).keep(a, other); }
};

#if defined(__AVX512VL__)
// Half a vector, for the sums of products, and the first lanes of it: `part` of half the size.
template <class T>
struct half_vector {
  using batch = xsimd::make_sized_batch_t<T, vector<T>::size / 2>;
  static constexpr int size = vector<T>::size / 2;

  batch raw;

  half_vector() = default;
  half_vector(batch given) : raw(given) {}
  explicit half_vector(T x) : raw(x) {}
  static half_vector load(const T* from) { return batch::load_unaligned(from); }
  void store(T* to) const { raw.store_unaligned(to); }
  friend half_vector operator+(half_vector a, half_vector b) { return a.raw + b.raw; }
  friend half_vector fma(half_vector a, half_vector b, half_vector c) {
    if constexpr (sizeof(T) == 4) return batch(_mm256_fmadd_ps(a.raw, b.raw, c.raw));
    else return batch(_mm256_fmadd_pd(a.raw, b.raw, c.raw));
  }
};
template <class T>
class half_part {
  using half = half_vector<T>;
  static constexpr bool single = sizeof(T) == 4;

 public:
  explicit half_part(int count) : first_lanes(static_cast<__mmask8>((1u << count) - 1)) {}
  half load(const T* from) const {
    if constexpr (single) return typename half::batch(_mm256_maskz_loadu_ps(first_lanes, from));
    else return typename half::batch(_mm256_maskz_loadu_pd(first_lanes, from));
  }
  void store(T* to, half a) const {
    if (first_lanes == (1u << half::size) - 1) return a.store(to);
    if constexpr (single) _mm256_mask_storeu_ps(to, first_lanes, a.raw);
    else _mm256_mask_storeu_pd(to, first_lanes, a.raw);
  }

 private:
  __mmask8 first_lanes;
};
#endif

// --- loops -------------------------------------------------------------------------------------------------

// f(j, lanes) for every vector of a row of Width features: lanes is `whole`, at the end `part`.
template <int Width, class T, class F>
TENON_ALWAYS_INLINE inline void for_vectors(F f) {
  constexpr int size = vector<T>::size, full = Width / size * size;
  for (int j = 0; j < full; j += size) f(j, whole<T>{});
  if constexpr (full < Width) f(full, part<T>(Width - full));
}

}  // namespace tenon::backend::simd
