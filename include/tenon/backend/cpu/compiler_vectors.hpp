// batch_of<T, Lanes> where TENON_COMPILER_VECTORS is defined: 128 bits by the compiler's own vectors (the vector extension of GNU C++).
// The compiler lowers them to what a processor has, down to one number at a time. Empty elsewhere, where xsimd.hpp has them.
#pragma once

#include "tenon/backend/cpu/lanes_of.hpp"
#include "tenon/backend/instruction_set.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(TENON_COMPILER_VECTORS)

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd {

template <class T>
using integer_of = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
template <class T>
inline constexpr int lanes_in_register = 16 / int(sizeof(T));

template <class T, int Lanes>
struct batch_of {
  using value_type = T;
  using register_type = typename lanes_of<T, Lanes>::type;
  using batch_bool_type = decltype(register_type{} < register_type{});

  register_type data;

  batch_of() = default;
  batch_of(register_type lanes) : data(lanes) {}
  explicit operator register_type() const { return data; }
  explicit batch_of(T x) : batch_of(filled(x, std::make_integer_sequence<int, Lanes>{})) {}

  static batch_of load_unaligned(const T* from) {
    batch_of a;
    std::memcpy(&a.data, from, sizeof a.data);
    return a;
  }
  void store_unaligned(T* to) const { std::memcpy(to, &data, sizeof data); }

  friend batch_of operator+(batch_of a, batch_of b) { return a.data + b.data; }
  friend batch_of operator-(batch_of a, batch_of b) { return a.data - b.data; }
  friend batch_of operator*(batch_of a, batch_of b) { return a.data * b.data; }
  friend batch_of operator/(batch_of a, batch_of b) { return a.data / b.data; }
  friend batch_of operator<<(batch_of a, int bits) { return a.data << bits; }
  friend batch_of operator&(batch_of a, batch_of b) {
    return of_bits([](auto x, auto y) { return x & y; }, a, b);
  }
  friend batch_of operator|(batch_of a, batch_of b) {
    return of_bits([](auto x, auto y) { return x | y; }, a, b);
  }
  friend batch_of operator^(batch_of a, batch_of b) {
    return of_bits([](auto x, auto y) { return x ^ y; }, a, b);
  }
  friend batch_bool_type operator<(batch_of a, batch_of b) { return a.data < b.data; }
  friend batch_bool_type operator>(batch_of a, batch_of b) { return a.data > b.data; }
  friend batch_bool_type operator==(batch_of a, batch_of b) { return a.data == b.data; }

  friend batch_of select(batch_bool_type condition, batch_of yes, batch_of no) {
    return condition ? yes.data : no.data;
  }
  // One expression: a compiler may round it once, where the processor can.
  friend batch_of fma(batch_of a, batch_of b, batch_of c) { return a.data * b.data + c.data; }
  friend batch_of fnma(batch_of a, batch_of b, batch_of c) { return c.data - a.data * b.data; }
  friend batch_of bitofsign(batch_of a) { return a & batch_of(T(-0.0)); }
  friend batch_of abs(batch_of a) { return (a | batch_of(T(-0.0))) ^ batch_of(T(-0.0)); }
  friend batch_of root_of(batch_of a) {
#if defined(__clang__)
    return __builtin_elementwise_sqrt(a.data);
#else
    for (int i = 0; i < Lanes; ++i) a.data[i] = std::sqrt(a.data[i]);
    return a;
#endif
  }
  friend T sum_of_lanes(batch_of a) {
    T sum = 0;
    for (int i = 0; i < Lanes; ++i) sum += a.data[i];
    return sum;
  }

 private:
  template <int... I>
  static register_type filled(T x, std::integer_sequence<int, I...>) {
    return register_type{((void)I, x)...};
  }
  template <class F>
  static batch_of of_bits(F f, batch_of a, batch_of b) {
    using bits = typename lanes_of<integer_of<T>, Lanes>::type;
    return std::bit_cast<register_type>(f(std::bit_cast<bits>(a.data), std::bit_cast<bits>(b.data)));
  }
};

// The smaller and the larger of two; `a` if a is a NaN.
template <class Batch>
Batch smaller_of(Batch limit, Batch a) {
  return select(limit < a, limit, a);
}
template <class Batch>
Batch larger_of(Batch limit, Batch a) {
  return select(limit > a, limit, a);
}
template <class Batch>
Batch quotient_of(Batch a, Batch b) {
  return a / b;
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd
#endif
