// Square blocks of numbers in registers, transposed.
#pragma once

#include "tenon/backend/cpu/simd.hpp"

namespace tenon::backend::inline TENON_INSTRUCTION_SET::simd {

namespace detail {
// a0 b0 a1 b1 .. of the lower (Half 0) or the upper half of a and b
template <int Half, any_vector V, int... I>
TENON_ALWAYS_INLINE inline V interleaved(V a, V b, std::integer_sequence<int, I...>) {
  using batch = typename V::batch;
  using lanes = typename batch::register_type;
  const lanes even = a.raw, odd = b.raw;
  return batch(lanes{(I % 2 == 0 ? even : odd)[(Half * V::size + I) / 2]...});
}
}  // namespace detail

// rows[i] lane j becomes rows[j] lane i.
template <class T, int Lanes>
TENON_ALWAYS_INLINE inline void transpose(vector<T, Lanes> (&rows)[Lanes]) {
  constexpr int size = Lanes, half = size / 2;
  constexpr std::make_integer_sequence<int, size> all_lanes;
  for (int width = 1; width < size; width *= 2) {
    vector<T, Lanes> next[size];
    repeat<half>([&](auto i) TENON_ALWAYS_INLINE {
      next[2 * i] = detail::interleaved<0>(rows[i], rows[i + half], all_lanes);
      next[2 * i + 1] = detail::interleaved<1>(rows[i], rows[i + half], all_lanes);
    });
    repeat<size>([&](auto i) TENON_ALWAYS_INLINE { rows[i] = next[i]; });
  }
}

}  // namespace tenon::backend::inline TENON_INSTRUCTION_SET::simd
