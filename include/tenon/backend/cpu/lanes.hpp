// Lanes of a vector where it is known at compile time which: rotated, and the first of them stored in pieces.
#pragma once

#include "tenon/backend/cpu/simd.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace tenon::backend::simd {

// Lane i is lane (i + By) % size of a.
template <int By, class T>
TENON_ALWAYS_INLINE inline vector<T> rotated(vector<T> a) {
  using batch = typename vector<T>::batch;
  constexpr int size = vector<T>::size;
  const typename batch::register_type all = a.raw;
  if constexpr (By % size == 0) return a;
  else return [&]<int... I>(std::integer_sequence<int, I...>) TENON_ALWAYS_INLINE {
      return vector<T>(batch(__builtin_shufflevector(all, all, ((I + By) % size)...)));
    }
  (std::make_integer_sequence<int, size>{});
}

// The first Count lanes, 1 <= Count < size: the others are neither read nor written, and load as 0. They go in
// pieces of 1, 2, 4, .. lanes, as later loads want them: a load of anything that was stored with a mask waits
// until it is in the cache.
template <class T, int Count>
struct first_lanes {
  static_assert(1 <= Count && Count < vector<T>::size);

  TENON_ALWAYS_INLINE vector<T> load(const T* from) const {
    if constexpr (!std::has_single_bit(unsigned(Count))) return part<T>(Count).load(from);
    else return typename vector<T>::batch(load_lanes<vector<T>::size>(from));
  }
  TENON_ALWAYS_INLINE void store(T* to, vector<T> a) const {
    store_lanes<vector<T>::size / 2>(to, typename vector<T>::batch::register_type(a.raw));
  }

 private:
  template <int Lanes>
  using piece [[gnu::vector_size(Lanes * sizeof(T))]] = T;

  template <int Lanes>
  TENON_ALWAYS_INLINE static auto load_lanes(const T* from) {
    if constexpr (Lanes == 2 && Count == 1) {
      return piece<2>{*from, T(0)};
    } else if constexpr (Lanes == Count) {
      piece<Lanes> all;
      std::memcpy(&all, from, sizeof all);
      return all;
    } else {
      return join(load_lanes<Lanes / 2>(from), piece<Lanes / 2>{}, std::make_integer_sequence<int, Lanes>{});
    }
  }
  template <class Half, int... I>
  TENON_ALWAYS_INLINE static auto join(Half low, Half high, std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(low, high, I...);
  }
  template <int Lanes, class Register>
  TENON_ALWAYS_INLINE static void store_lanes(T* to, Register all) {
    constexpr int from = Count & ~(2 * Lanes - 1);  // lanes in larger pieces
    if constexpr (Lanes == 1) {
      if constexpr ((Count & 1) != 0) to[from] = all[from];
    } else {
      if constexpr ((Count & Lanes) != 0)
        [&]<int... I>(std::integer_sequence<int, I...>) TENON_ALWAYS_INLINE {
          const auto some = __builtin_shufflevector(all, all, (from + I)...);
          std::memcpy(to + from, &some, sizeof some);
        }
      (std::make_integer_sequence<int, Lanes>{});
      store_lanes<Lanes / 2>(to, all);
    }
  }
};

}  // namespace tenon::backend::simd
