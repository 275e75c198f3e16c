// Square blocks of numbers in registers, transposed.
#pragma once

#include "tenon/backend/cpu/simd.hpp"

namespace tenon::backend::simd {

namespace detail {
// a0 b0 a1 b1 .. of the lower (Half 0) or the upper half of a and b
template <int Half, class T>
TENON_ALWAYS_INLINE inline vector<T> interleaved(vector<T> a, vector<T> b) {
  constexpr int size = vector<T>::size;
  using batch = typename vector<T>::batch;
  return [&]<int... I>(std::integer_sequence<int, I...>) TENON_ALWAYS_INLINE {
    using raw = typename batch::register_type;
    return vector<T>(
        batch(__builtin_shufflevector(raw(a.raw), raw(b.raw), (I / 2 + I % 2 * size + Half * size / 2)...)));
  }
  (std::make_integer_sequence<int, size>{});
}
}  // namespace detail

// rows[i] lane j becomes rows[j] lane i.
template <class T>
TENON_ALWAYS_INLINE inline void transpose(vector<T> (&rows)[vector<T>::size]) {
  constexpr int size = vector<T>::size, half = size / 2;
  for (int width = 1; width < size; width *= 2) {
    vector<T> next[size];
    repeat<half>([&](auto i) TENON_ALWAYS_INLINE {
      next[2 * i] = detail::interleaved<0>(rows[i], rows[i + half]);
      next[2 * i + 1] = detail::interleaved<1>(rows[i], rows[i + half]);
    });
    repeat<size>([&](auto i) TENON_ALWAYS_INLINE { rows[i] = next[i]; });
  }
}

}  // namespace tenon::backend::simd
