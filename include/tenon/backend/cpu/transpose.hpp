// Square blocks of numbers in registers, transposed.
#pragma once

#include "tenon/backend/cpu/simd.hpp"

namespace tenon::backend::simd {

namespace detail {
// a0 b0 a1 b1 .. of the lower (Half 0) or the upper half of a and b
template <int Half, class T, int... I>
TENON_ALWAYS_INLINE inline vector<T> interleaved(vector<T> a, vector<T> b, std::integer_sequence<int, I...>) {
  using batch = typename vector<T>::batch;
  using lanes = typename batch::register_type;
  const lanes even = a.raw, odd = b.raw;
  return batch(lanes{(I % 2 == 0 ? even : odd)[(Half * vector<T>::size + I) / 2]...});
}
}  // namespace detail

// rows[i] lane j becomes rows[j] lane i.
template <class T>
TENON_ALWAYS_INLINE inline void transpose(vector<T> (&rows)[vector<T>::size]) {
  constexpr int size = vector<T>::size, half = size / 2;
  constexpr std::make_integer_sequence<int, size> all_lanes;
  for (int width = 1; width < size; width *= 2) {
    vector<T> next[size];
    repeat<half>([&](auto i) TENON_ALWAYS_INLINE {
      next[2 * i] = detail::interleaved<0>(rows[i], rows[i + half], all_lanes);
      next[2 * i + 1] = detail::interleaved<1>(rows[i], rows[i + half], all_lanes);
    });
    repeat<size>([&](auto i) TENON_ALWAYS_INLINE { rows[i] = next[i]; });
  }
}

}  // namespace tenon::backend::simd
