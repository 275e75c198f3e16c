// vector<T, Lanes>: the SIMD register that the CPU backend computes with, and loads and stores of only its first
// lanes. Its operations are those of batch_of, by xsimd or by the compiler. Each lane computes the same as any
// other lane and, except for logarithms, as a lane of a wider or narrower vector.
#pragma once

#include "tenon/backend/cpu/avx512.hpp"
#include "tenon/backend/cpu/compiler_vectors.hpp"
#include "tenon/backend/cpu/xsimd.hpp"
#include "tenon/backend/instruction_set.hpp"
#include "tenon/meta/host_device.hpp"
#include "tenon/meta/repeat.hpp"

#include <bit>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd {

using ir::repeat;

#if defined(TENON_PORTABLE)
inline constexpr bool is_portable = true;
#else
inline constexpr bool is_portable = false;
#endif
// Are all numbers of a sum added one after the other, however many rows are computed at a time?
#if defined(TENON_BATCH_INVARIANT) || defined(TENON_PORTABLE)
inline constexpr bool adds_in_one_order = true;
#else
inline constexpr bool adds_in_one_order = false;
#endif

// The registers that vectors are in: 512 bits, 256 or 128.
#if defined(TENON_PORTABLE) || defined(TENON_COMPILER_VECTORS)  // 128
#elif defined(__AVX512F__)
#  define TENON_VECTORS_OF_512
#elif defined(__AVX__)
#  define TENON_VECTORS_OF_256
#endif
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int registers = 32;  // of the machine
#else
inline constexpr int registers = 16;
#endif

// The lanes of the widest vector, and of the narrowest. Half a vector costs half as much on a machine that runs a
// whole one in two passes.
template <class T>
inline constexpr int widest = is_portable ? 16 / int(sizeof(T)) : lanes_in_register<T>;
#if defined(TENON_VECTORS_OF_512) && defined(__AVX512VL__)
template <class T>
inline constexpr int narrowest = widest<T> / 2;
#else
template <class T>
inline constexpr int narrowest = widest<T>;
#endif
// The fewest lanes that hold a row of `width` features, or the widest vector's.
template <class T>
constexpr int lanes_for(int width) {
  return width <= narrowest<T> ? narrowest<T> : widest<T>;
}

// a, kept in a register: otherwise g++ would read memory again for each multiply-add that uses it.
template <class V>
TENON_ALWAYS_INLINE inline V kept_in_register(V a) {
#if defined(__SSE2__)
  asm("" : "+v"(a.raw.data));
#elif defined(__aarch64__)
  asm("" : "+w"(a.raw.data));
#elif !defined(__clang__)  // which leaves operations apart that are written apart
  asm("" : "+m"(a.raw.data));
#endif
  return a;
}

// The bits of a batch as another batch.
template <class To, class From>
To bits_as(From from) {
  return std::bit_cast<To>(from);
}

template <class T, int Lanes = widest<T>>
struct vector {
  using batch = batch_of<T, Lanes>;
  using value_type = T;
  static constexpr int size = Lanes;
  struct mask {
    typename batch::batch_bool_type raw;
  };

  batch raw;

  vector() = default;
  vector(batch values) : raw(values) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> vector(Number x) : raw(static_cast<T>(x)) {}

  static vector load(const T* from) { return batch::load_unaligned(from); }
  void store(T* to) const { raw.store_unaligned(to); }

  friend vector operator-(vector a) { return a.raw ^ batch(T(-0.0)); }  // xsimd's is 0 - a in AVX-512
  friend vector operator+(vector a, vector b) { return a.raw + b.raw; }
  friend vector operator-(vector a, vector b) { return a.raw - b.raw; }
  // Where products are rounded first, compilers must not make one instruction of a b + c.
  friend vector operator*(vector a, vector b) {
    const vector product = a.raw * b.raw;
    if constexpr (is_portable) return kept_in_register(product);
    else return product;
  }
  friend vector operator/(vector a, vector b) { return quotient_of(a.raw, b.raw); }
  friend mask operator<(vector a, vector b) { return {a.raw < b.raw}; }
  friend mask operator>(vector a, vector b) { return {a.raw > b.raw}; }
  friend mask operator==(vector a, vector b) { return {a.raw == b.raw}; }
  friend vector select(mask condition, vector yes, vector no) {
    return batch(select(condition.raw, yes.raw, no.raw));
  }

  // a b + c, c - a b
#if defined(TENON_PORTABLE)
  friend vector fma(vector a, vector b, vector c) { return a * b + c; }
  friend vector fnma(vector a, vector b, vector c) { return c - a * b; }
#elif defined(TENON_VECTORS_OF_512)
  using machine = avx512<T, Lanes>;
  friend vector fma(vector a, vector b, vector c) { return batch(machine::fma(a.raw, b.raw, c.raw)); }
  friend vector fnma(vector a, vector b, vector c) { return batch(machine::fnma(a.raw, b.raw, c.raw)); }
#else
  friend vector fma(vector a, vector b, vector c) { return batch(fma(a.raw, b.raw, c.raw)); }
  friend vector fnma(vector a, vector b, vector c) { return batch(fnma(a.raw, b.raw, c.raw)); }
#endif
  friend vector abs(vector a) { return batch(abs(a.raw)); }
  friend vector sqrt(vector a) { return root_of(a.raw); }
  // A NaN stays a NaN.
  friend vector at_most(vector a, vector limit) { return smaller_of(limit.raw, a.raw); }
  friend vector at_least(vector a, vector limit) { return larger_of(limit.raw, a.raw); }
  // a >= 0, with the sign of another number
  friend vector with_sign(vector a, vector sign) { return bitofsign(sign.raw) | a.raw; }
};

template <class>
inline constexpr bool is_vector = false;
template <class T, int Lanes>
inline constexpr bool is_vector<vector<T, Lanes>> = true;
template <class V>
concept any_vector = is_vector<V>;
template <any_vector V>
using number_of = typename V::value_type;

// Is a b + c rounded once?
#if !defined(TENON_PORTABLE) && !defined(TENON_COMPILER_VECTORS) && \
    (defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__))
inline constexpr bool rounds_fma_once = true;
#else
inline constexpr bool rounds_fma_once = false;
#endif

// a, rounded as it is: clang with -ffast-math would take a sum apart that is used in another sum.
template <any_vector V>
TENON_ALWAYS_INLINE inline V rounded_here(V a) {
#if defined(__FAST_MATH__)
  return kept_in_register(a);
#else
  return a;
#endif
}

// The whole number n nearest to a b. For its powers, n must be from -127 (-1023) to 127 (1023).
template <any_vector V>
class whole_number {
  using T = number_of<V>;
  using whole = integer_of<T>;
  using bits = batch_of<whole, V::size>;
  static constexpr bool single = sizeof(T) == 4;
  static constexpr int fraction = single ? 23 : 52, bias = single ? 127 : 1023;
  static constexpr T large =
      single ? T(0x1.8p23 + 127) : T(0x1.8p52 + 1023);  // has n + bias in its lowest bits

 public:
  whole_number(V a, V b) : shifted(rounded_here(fma(a, b, V(large)))) {}
  V value() const { return rounded_here(shifted - V(large)); }
  // 2^n and 2^-n; 0 for the least exponent
  V power() const { return as_number(power_bits()); }
  V inverse_power() const { return as_number(bits(whole(2 * bias) << fraction) - power_bits()); }

 private:
  bits power_bits() const { return bits_as<bits>(shifted.raw) << fraction; }
  static V as_number(bits b) { return bits_as<typename V::batch>(b); }
  V shifted;
};

// a 2^n for whole n; overflows to infinity, underflows gradually. |n| must be at most 252 (2044) on a machine
// without an instruction for it.
template <any_vector V>
TENON_ALWAYS_INLINE inline V scale(V a, V n) {
#if defined(TENON_VECTORS_OF_512)
  return typename V::batch(V::machine::scale(a.raw, n.raw));
#else
  const whole_number<V> half(n, V(0.5)), rest(n - half.value(), V(1));
  return a * half.power() * rest.power();
#endif
}

// The lower (0) or the upper (1) of the two bfloat16 numbers in each lane.
template <int Half, int Lanes>
vector<float, Lanes> bfloat16_half(vector<float, Lanes> pair) {
  using batch = typename vector<float, Lanes>::batch;
  using bits = batch_of<std::uint32_t, Lanes>;
  const auto raw = bits_as<bits>(pair.raw);
  if constexpr (Half == 0) return bits_as<batch>(raw << 16);
  else return bits_as<batch>(raw & bits(0xffff0000u));
}

template <any_vector V>
number_of<V> sum(V a) {
  if constexpr (is_portable) {  // in pairs, as no instruction does on every processor
    number_of<V> lanes[V::size];
    a.store(lanes);
    for (int n = V::size / 2; n > 0; n /= 2)
      for (int i = 0; i < n; ++i) lanes[i] += lanes[i + n];
    return lanes[0];
  } else {
    return sum_of_lanes(a.raw);
  }
}
template <any_vector V>
number_of<V> first(V a) {  // the number in lane 0
#if defined(TENON_VECTORS_OF_512)
  return V::machine::lane_0(a.raw);
#elif defined(TENON_VECTORS_OF_256)
  if constexpr (sizeof(number_of<V>) == 4) return _mm256_cvtss_f32(a.raw);
  else return _mm256_cvtsd_f64(a.raw);
#else
  number_of<V> lanes[V::size];
  a.store(lanes);
  return lanes[0];
#endif
}
template <any_vector V>
number_of<V> highest(V a) {
  number_of<V> lanes[V::size];
  a.store(lanes);
  number_of<V> result = lanes[0];
  for (number_of<V> x : lanes) result = result < x ? x : result;
  return result;
}

// --- all lanes, or the first of them: the same interface, so that a loop's body can be written once --------

template <any_vector V>
struct whole {
  using T = number_of<V>;
  V load(const T* from) const { return V::load(from); }
  void store(T* to, V a) const { a.store(to); }
  V keep(V a, T) const { return a; }
};

// The first `count` lanes, 1 <= count <= size. Memory past them is neither read nor written; the lanes past
// them load as 0.
template <any_vector V>
class part {
  using T = number_of<V>;
  using batch = typename V::batch;

 public:
#if defined(TENON_VECTORS_OF_512)
  explicit part(int count) : first_lanes(static_cast<bits>((1u << count) - 1)) {}

  V load(const T* from) const { return batch(V::machine::load(first_lanes, from)); }
  void store(T* to, V a) const {
    if (first_lanes == all_lanes) return a.store(to);  // a load soon after a masked store waits for it
    V::machine::store(first_lanes, to, a.raw);
  }
  // a in the first lanes, `other` in the rest
  V keep(V a, T other) const { return batch(V::machine::keep(first_lanes, a.raw, V(other).raw)); }

 private:
  using bits = typename V::machine::bits;
  static constexpr bits all_lanes = static_cast<bits>((1u << V::size) - 1);
  bits first_lanes;
#else
  explicit part(int count) : first(count) {
    for (int i = 0; i < V::size; ++i) lanes[i] = i < count ? T(-1) : T(0);
  }

#  if defined(TENON_VECTORS_OF_256)  // a lane is read or written where its sign bit is set
  V load(const T* from) const {
    if constexpr (single) return batch(_mm256_maskload_ps(from, _mm256_castps_si256(V::load(lanes).raw)));
    else return batch(_mm256_maskload_pd(from, _mm256_castpd_si256(V::load(lanes).raw)));
  }
  void store(T* to, V a) const {
    if (first == V::size) return a.store(to);  // many times faster than a masked store
    if constexpr (single) _mm256_maskstore_ps(to, _mm256_castps_si256(V::load(lanes).raw), a.raw);
    else _mm256_maskstore_pd(to, _mm256_castpd_si256(V::load(lanes).raw), a.raw);
  }
#  else
  V load(const T* from) const {
    if (first == V::size) return V::load(from);
    T padded[V::size]{};
    for (int i = 0; i < first; ++i) padded[i] = from[i];
    return V::load(padded);
  }
  void store(T* to, V a) const {
    if (first == V::size) return a.store(to);
    T padded[V::size];
    a.store(padded);
    for (int i = 0; i < first; ++i) to[i] = padded[i];
  }
#  endif
  V keep(V a, T other) const { return select(V::load(lanes) < V(0), a, V(other)); }

 private:
  static constexpr bool single = sizeof(T) == 4;
  int first;
  T lanes[V::size];
#endif
};

// A row of one number: a load fills all lanes with it, a store writes the first lane.
template <any_vector V>
struct single {
  using T = number_of<V>;
  V load(const T* from) const { return V(*from); }
  void store(T* to, V a) const { *to = first(a); }
  V keep(V a, T other) const { return part<V>(1).keep(a, other); }
};

// --- loops -------------------------------------------------------------------------------------------------

// Calls f(j, lanes) for every vector of a row of Width features: lanes is `whole`, and `part` at the end.
template <int Width, class T, class F>
TENON_ALWAYS_INLINE inline void for_vectors(F f) {
  using V = vector<T>;
  constexpr int size = V::size, full = Width / size * size;
  for (int j = 0; j < full; j += size) f(j, whole<V>{});
  if constexpr (full < Width) f(full, part<V>(Width - full));
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd
