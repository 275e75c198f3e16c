// Operations on lanes whose numbers are known at compile time: rotation, and storing the first lanes in pieces.
#pragma once

#include "tenon/backend/cpu/lanes_of.hpp"
#include "tenon/backend/cpu/simd.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd {

// The numbers in a vector's register, and a vector of such numbers. A subscript of the register itself will not do:
// on WebAssembly, every register is a vector of int32, whatever it holds. Not std::bit_cast, which nvcc 13 compiles for a device.
template <any_vector V>
using numbers_in = typename lanes_of<number_of<V>, V::size>::type;
template <any_vector V>
TENON_ALWAYS_INLINE inline auto numbers_of(V a) {
  return __builtin_bit_cast(numbers_in<V>, typename V::batch::register_type(a.raw));
}
template <any_vector V>
TENON_ALWAYS_INLINE inline V vector_of(numbers_in<V> numbers) {
  return typename V::batch(__builtin_bit_cast(typename V::batch::register_type, numbers));
}

// Lanes First, First + 1, .., wrapping around to the first of Size lanes after the last.
template <class Result, int First, int Size, class Numbers, int... I>
TENON_ALWAYS_INLINE inline Result lanes_from(Numbers all, std::integer_sequence<int, I...>) {
  return Result{all[(First + I) % Size]...};
}

// Lane i is lane (i + By) % size of a.
template <int By, any_vector V>
TENON_ALWAYS_INLINE inline V rotated(V a) {
  constexpr int size = V::size;
  if constexpr (By % size == 0) return a;
  else
    return vector_of<V>(
        lanes_from<numbers_in<V>, By, size>(numbers_of(a), std::make_integer_sequence<int, size>{}));
}

// The first Count lanes, 1 <= Count < size: the others are neither read nor written, and load as 0. They are stored
// in pieces of 1, 2, 4, .. lanes, so that later loads are fast: a load of memory that was stored with a mask waits
// until it is in the cache.
template <any_vector V, int Count>
struct first_lanes {
  using T = number_of<V>;
  static constexpr int size = V::size;
  static_assert(1 <= Count && Count < size);

  TENON_ALWAYS_INLINE V load(const T* from) const {
    if constexpr (!std::has_single_bit(unsigned(Count))) return part<V>(Count).load(from);
    else return vector_of<V>(load_lanes<size>(from));
  }
  TENON_ALWAYS_INLINE void store(T* to, V a) const { store_lanes<size / 2>(to, numbers_of(a)); }

 private:
  template <int Lanes>
  using piece = typename lanes_of<T, Lanes>::type;

  template <int Lanes>
  TENON_ALWAYS_INLINE static auto load_lanes(const T* from) {
    if constexpr (Lanes == 2 && Count == 1) {
      return piece<2>{*from, T(0)};
    } else if constexpr (Lanes == Count) {
      piece<Lanes> all;
      std::memcpy(&all, from, sizeof all);
      return all;
    } else {
      return join(load_lanes<Lanes / 2>(from), piece<Lanes / 2>{});
    }
  }
  // Written out, since nvcc 13 drops the ellipsis of a pack expansion in the arguments of a builtin.
  template <class Half>
  TENON_ALWAYS_INLINE static auto join(Half low, Half high) {
    constexpr int lanes = sizeof(Half) / sizeof(T);
    if constexpr (lanes == 1) return __builtin_shufflevector(low, high, 0, 1);
    else if constexpr (lanes == 2) return __builtin_shufflevector(low, high, 0, 1, 2, 3);
    else if constexpr (lanes == 4) return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    else return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
  template <int Lanes>
  TENON_ALWAYS_INLINE static void store_lanes(T* to, piece<size> all) {
    constexpr int from = Count & ~(2 * Lanes - 1);  // lanes in larger pieces
    if constexpr (Lanes == 1) {
      if constexpr ((Count & 1) != 0) to[from] = all[from];
    } else {
      if constexpr ((Count & Lanes) != 0) {
        const auto some = lanes_from<piece<Lanes>, from, size>(all, std::make_integer_sequence<int, Lanes>{});
        std::memcpy(to + from, &some, sizeof some);
      }
      store_lanes<Lanes / 2>(to, all);
    }
  }
};

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd
